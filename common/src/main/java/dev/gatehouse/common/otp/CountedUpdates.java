package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.remembered.OwnChanges;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts updates of tables of tokens until they are committed: for all people, unless {@link #about} says whom they are about. Whoever
 * forgets to say so makes others slower, and nobody reads what is not so any more.
 */
final class CountedUpdates extends JdbcTemplate {

  /** The people whom updates of this thread are about, by {@link #key}. */
  private static final ScopedValue<List<String>> PEOPLE = ScopedValue.newInstance();

  private final OwnChanges changes;

  private CountedUpdates(DataSource source, OwnChanges changes) {
    super(source);
    this.changes = changes;
  }

  /** @param changes absent where other processes change the tables, too */
  static JdbcTemplate of(DataSource source, Optional<OwnChanges> changes) {
    return changes.<JdbcTemplate>map(counted -> new CountedUpdates(source, counted)).orElseGet(() -> new JdbcTemplate(source));
  }

  /** The key of a person's changes. A name of a realm has no line break. */
  static String key(String realm, PersonId person) {
    return realm + "\n" + person.value();
  }

  /** Does work that changes nothing of what {@link Tokens#owned} says about anybody else, before it or after it. */
  static <T> T about(String realm, PersonId person, Supplier<T> work) {
    return ScopedValue.where(PEOPLE, List.of(key(realm, person))).call(work::get);
  }

  /** As the other one, about several people by their keys. */
  static void about(List<String> people, Runnable work) {
    ScopedValue.where(PEOPLE, people).run(work);
  }

  @Override
  protected int update(PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
    return counted(() -> super.update(statement, values));
  }

  @Override
  public int[] batchUpdate(String sql, List<? extends Object[]> values) {
    return counted(() -> super.batchUpdate(sql, values));
  }

  private <T> T counted(Supplier<T> update) {
    Optional<List<String>> people = PEOPLE.isBound() ? Optional.of(PEOPLE.get()) : Optional.empty();
    people.ifPresentOrElse(keys -> keys.forEach(changes::begin), changes::begin);
    try {
      return update.get();
    } finally {
      if (TransactionSynchronizationManager.isSynchronizationActive()) {
        TransactionSynchronizationManager.registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCompletion(int status) {
                end(people);
              }
            });
      } else {
        end(people);
      }
    }
  }

  private void end(Optional<List<String>> people) {
    people.ifPresentOrElse(keys -> keys.forEach(changes::end), changes::end);
  }
}
