package dev.gatehouse.common.otp;

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

/** Counts updates of tables of tokens until they are committed. */
final class CountedUpdates extends JdbcTemplate {

  private final OwnChanges changes;

  private CountedUpdates(DataSource source, OwnChanges changes) {
    super(source);
    this.changes = changes;
  }

  /** @param changes absent where other processes change the tables, too */
  static JdbcTemplate of(DataSource source, Optional<OwnChanges> changes) {
    return changes.<JdbcTemplate>map(counted -> new CountedUpdates(source, counted)).orElseGet(() -> new JdbcTemplate(source));
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
    changes.begin();
    try {
      return update.get();
    } finally {
      if (TransactionSynchronizationManager.isSynchronizationActive()) {
        TransactionSynchronizationManager.registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCompletion(int status) {
                changes.end();
              }
            });
      } else {
        changes.end();
      }
    }
  }
}
