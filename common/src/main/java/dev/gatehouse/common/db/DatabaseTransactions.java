package dev.gatehouse.common.db;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that fail as single statements do, with a {@link org.springframework.dao.DataAccessException}, so that callers find out
 * in one way that the database cannot be used.
 */
public final class DatabaseTransactions extends JdbcTransactionManager {

  private static final long serialVersionUID = 1;

  private DatabaseTransactions(Database database) {
    super(database.dataSource());
  }

  /** Creates transactions of the database. */
  public static TransactionTemplate of(Database database) {
    return new TransactionTemplate(new DatabaseTransactions(database));
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    try {
      super.doBegin(transaction, definition);
    } catch (CannotCreateTransactionException e) {
      throw new DataAccessResourceFailureException("No transaction can begin", e);
    }
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    try {
      super.doCommit(status);
    } catch (TransactionSystemException e) {
      throw new DataAccessResourceFailureException("It is not known whether the transaction counts", e);
    }
  }

  @Override
  protected void doRollback(DefaultTransactionStatus status) {
    try {
      super.doRollback(status);
    } catch (TransactionSystemException e) {
      throw new DataAccessResourceFailureException("The connection of a transaction was lost", e);
    }
  }
}
