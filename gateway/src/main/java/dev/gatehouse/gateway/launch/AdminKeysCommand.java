package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code ./gatehouse keys admin}. */
@Command(
    name = "admin",
    mixinStandardHelpOptions = true,
    description = {
      "Keys for the REST API under /admin/v1/.",
      "A new key is printed once and stored only as a digest; a running node accepts it from its next request on.",
      NamedKeysCommand.AUDITED,
      "Roles, each with the rights of those before it: viewer reads the configuration; helpdesk ends sessions and resets second "
          + "factors of people; operator purges caches, switches maintenance, drains servers and reloads; admin does everything."
    })
final class AdminKeysCommand extends NamedKeysCommand {

  private static final int MAX_DAYS = 3650;

  @Option(
      names = "--role",
      paramLabel = "ROLE[@REALM]",
      description = "With --name: a role of the key, in one realm or in all (repeatable). Default: admin in all realms.")
  private List<String> roles = new ArrayList<>();

  @Option(names = "--expires", paramLabel = "DAYS", description = "With --name: the key ends after so many days. Default: it does not end.")
  private Optional<Integer> days = Optional.empty();

  private final InstantSource time = InstantSource.system();

  @Override
  NamedKeys keys(KeyPlace place) {
    return new AdministratorKeys(place, time, new SecureRandom());
  }

  @Override
  void check(boolean creates, CommandSpec spec) {
    if (!creates && (!roles.isEmpty() || days.isPresent())) {
      throw new ParameterException(spec.commandLine(), "--role and --expires are for new keys: give --name, too.");
    }
    if (days.filter(given -> given < 1 || given > MAX_DAYS).isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--expires is a number of days from 1 to " + MAX_DAYS + "; without it, the key does not end.");
    }
    try {
      parsed();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--role: " + e.getMessage() + ".", e);
    }
  }

  private List<AdministratorGrant> parsed() {
    return roles.isEmpty() ? List.of(AdministratorGrant.ALL) : roles.stream().map(AdministratorGrant::parse).distinct().toList();
  }

  @Override
  List<AdministratorGrant> grants(Supplier<List<String>> realms) {
    List<AdministratorGrant> grants = parsed();
    for (AdministratorGrant grant : grants) {
      if (grant.realm().filter(realm -> !realms.get().contains(realm)).isPresent()) {
        throw new StartRefused(
            "--role " + grant + ": there is no realm " + grant.realm().orElseThrow() + "; realms here: " + String.join(", ", realms.get()));
      }
    }
    return grants;
  }

  @Override
  Optional<Instant> end() {
    return days.map(given -> time.instant().plus(Duration.ofDays(given)));
  }

  @Override
  Creation make(NamedKeys keys, KeyChange change) {
    return ((AdministratorKeys) keys).create(change.name(), change.grants(), change.expiresAt());
  }

  @Override
  String line(NamedKey key) {
    String grants = key.grants().stream().map(AdministratorGrant::toString).collect(Collectors.joining(","));
    String end = key.expiresAt().map(at -> (key.isExpired(time.instant()) ? "ended " : "ends ") + at).orElse("does not end");
    return super.line(key) + "  " + grants + "  " + end;
  }
}
