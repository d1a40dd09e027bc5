package dev.gatehouse.common.otp.replica;

import java.sql.SQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** A step of the replication cannot be done; the message says why, and what to do. */
public final class ReplicationRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** SQLSTATE of a change that does not come from the primary, at a replica; as the function of its triggers has it. */
  private static final String READ_ONLY = "25006";

  ReplicationRefused(String sentence) {
    super(sentence);
  }

  ReplicationRefused(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** Returns what the tables of a replica answer to a change. */
  static DataAccessException atReplica() {
    String words = "this server is a replica of one-time passwords: change tokens at the primary";
    return new InvalidDataAccessApiUsageException(words, new SQLException(words, READ_ONLY));
  }

  /** Returns whether the database refused a change because it follows that of the primary. */
  public static boolean isMeantBy(DataAccessException failure) {
    return failure.getMostSpecificCause() instanceof SQLException refused && READ_ONLY.equals(refused.getSQLState());
  }
}
