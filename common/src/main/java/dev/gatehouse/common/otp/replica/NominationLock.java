package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The one nomination that runs at a server. A second command would make slots after the first one changed something, and take back what the
 * first one has done. PostgreSQL gives the lock back when the connection of the command ends, however it ends.
 */
final class NominationLock implements AutoCloseable {

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6f74706eL;

  private final Connection connection;

  private NominationLock(Connection connection) {
    this.connection = connection;
  }

  /** Takes the lock of the server's database; refuses if another command has it. */
  static NominationLock take(Database own) {
    try {
      Connection connection = own.dataSource().getConnection();
      try {
        if (!ask(connection, "select pg_try_advisory_lock(?)")) {
          throw new ReplicationRefused("Another ./gatehouse otp nominate runs at this server: wait until it has ended");
        }
        return new NominationLock(connection);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("The nomination cannot be locked", e);
    }
  }

  private static boolean ask(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, LOCK);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Gives the lock and its connection back. */
  @Override
  public void close() {
    try (connection) {
      ask(connection, "select pg_advisory_unlock(?)");
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("The lock of the nomination ends with its connection", e);
    }
  }
}
