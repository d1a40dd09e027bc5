package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
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

  private static final String NO_SUCH_PRIMARY = "Cannot provide redisAddress using sentinel";

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
    if (!(failure instanceof StoreUnavailable || failure instanceof RedisException)) {
      // Of PostgreSQL, which is asked whether this is the installation's Valkey.
      return false;
    }
    boolean lost = false;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    @Nullable Throwable one = failure;
    while (one != null && seen.add(one)) {
      if (one instanceof RedisCommandExecutionException answer) {
        String text = String.valueOf(answer.getMessage());
        return Stream.of(text.split(" ", 2)).limit(1).anyMatch(NOT_THERE::contains);
      }
      // A certificate of somebody else.
      if (one instanceof SSLException) {
        return false;
      }
      // A Sentinel answers that it knows no such primary.
      if (one instanceof RedisConnectionException && String.valueOf(one.getMessage()).startsWith(NO_SUCH_PRIMARY)) {
        return false;
      }
      lost |=
          one instanceof RedisConnectionException || one instanceof IOException || one instanceof TimeoutException
              || one instanceof RedisCommandTimeoutException || one instanceof NotAcknowledged;
      one = one.getCause();
    }
    return lost;
  }
}
