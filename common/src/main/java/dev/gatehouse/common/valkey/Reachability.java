package dev.gatehouse.common.valkey;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Whether a failure means that the primary is out of reach, as behind a cut line; what answers and refuses is there. */
final class Reachability {

  /** Answers of a server that cannot say anything about the data: it reads them from its disk still, or has lost its replicas. */
  private static final Set<String> NOT_THERE = Set.of("LOADING", "NOREPLICAS");

  private Reachability() {}

  /** The server executed a write, and no replica has it: it may be a deposed primary on the smaller side of a cut. */
  static final class NotAcknowledged extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAcknowledged() {
      super("no replica acknowledged it", null, false, false);
    }
  }

  /** What is not known to mean that it is out of reach does not. */
  static boolean isLost(Throwable failure) {
    boolean lost = false;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    @Nullable Throwable one = failure;
    while (one != null && seen.add(one)) {
      if (one instanceof RedisCommandExecutionException answer) {
        String text = String.valueOf(answer.getMessage());
        return Stream.of(text.split(" ", 2)).limit(1).anyMatch(NOT_THERE::contains);
      }
      // A certificate of somebody else; or PostgreSQL, which is asked whether this is the installation's Valkey.
      if (one instanceof SSLException || one instanceof SQLException) {
        return false;
      }
      lost |=
          one instanceof IOException || one instanceof TimeoutException || one instanceof RedisCommandTimeoutException
              || one instanceof NotAcknowledged;
      one = one.getCause();
    }
    return lost;
  }
}
