package dev.gatehouse.common.db;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.ValidateResult;

/**
 * The version of the tables of a database, and that of this program.
 *
 * @param applied the last change that the tables have; empty if there are none
 * @param known the last change that this program knows
 * @param pending whether the program will change the tables
 * @param defect why the tables are not as this program expects them, in its tool's words
 */
public record TableVersions(Optional<String> applied, String known, boolean pending, Optional<String> defect) {

  static TableVersions of(FluentConfiguration migrations) {
    Flyway flyway = migrations.ignoreMigrationPatterns("*:pending", "*:future", "repeatable:missing").load();
    MigrationInfo[] all = flyway.info().all();
    ValidateResult result = flyway.validateWithResult();
    return new TableVersions(
        last(Arrays.stream(all).filter(one -> one.getState().isApplied())),
        last(Arrays.stream(all).filter(one -> one.getState().isResolved())).orElse("none"),
        Arrays.stream(flyway.info().pending()).anyMatch(one -> one.getVersion() != null),
        result.validationSuccessful ? Optional.empty() : Optional.of(result.getAllErrorMessages().lines().findFirst().orElse("").strip()));
  }

  private static Optional<String> last(Stream<MigrationInfo> some) {
    return some.flatMap(one -> Optional.ofNullable(one.getVersion()).stream())
        .max(MigrationVersion::compareTo)
        .map(MigrationVersion::getVersion);
  }

  /** Returns whether a newer program has changed the tables. */
  public boolean isNewer() {
    return applied.filter(text -> MigrationVersion.fromVersion(text).compareTo(MigrationVersion.fromVersion(known)) > 0).isPresent();
  }
}
