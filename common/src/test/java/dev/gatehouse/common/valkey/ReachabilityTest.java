package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Which failures mean that the primary is out of reach; all others mean that it answers. */
class ReachabilityTest {

  private static Throwable wrapped(Throwable cause) {
    return new StoreUnavailable("Valkey cannot be reached", new CompletionException(new RedisConnectionException("no", cause)));
  }

  @Test
  void whatCutsALine() {
    for (Throwable cut :
        List.of(
            new ConnectException("refused"), new NoRouteToHostException("none"), new ClosedChannelException(), new TimeoutException("late"),
            new RedisCommandTimeoutException("late"), new Reachability.NotAcknowledged(),
            new RedisCommandExecutionException("NOREPLICAS Not enough good replicas to write."),
            new RedisCommandExecutionException("LOADING Valkey is loading the dataset in memory"))) {
      assertThat(Reachability.isLost(wrapped(cut))).as(cut.toString()).isTrue();
    }
    assertThat(Reachability.isLost(new RedisConnectionException("Connection closed prematurely")))
        .as("a proxy whose target is away").isTrue();
  }

  @Test
  void whoAnswersIsThere() {
    for (String answer :
        List.of(
            "OOM command not allowed when used memory > 'maxmemory'.", "READONLY You can't write against a read only replica.",
            "NOAUTH Authentication required.", "WRONGPASS invalid username-password pair", "NOPERM this user has no permissions",
            "MISCONF Errors writing to the AOF file", "NOSCRIPT No matching script.", "LOADINGS", "")) {
      Throwable failure = new RedisCommandExecutionException(answer);
      assertThat(Reachability.isLost(wrapped(failure))).as(answer).isFalse();
      assertThat(Reachability.isLost(new RedisCommandExecutionException(answer, new ClosedChannelException()))).as(answer).isFalse();
    }
    assertThat(Reachability.isLost(wrapped(new SSLHandshakeException("unable to find valid certification path")))).isFalse();
    assertThat(Reachability.isLost(new RedisConnectionException("no", new SSLHandshakeException("self-signed certificate")))).isFalse();
    assertThat(Reachability.isLost(new RedisConnectionException("Cannot provide redisAddress using sentinel for masterId typo"))).isFalse();
    assertThat(Reachability.isLost(new IllegalStateException(new SQLException("the own database", new ConnectException("refused")))))
        .as("PostgreSQL").isFalse();
    assertThat(Reachability.isLost(new RedisException("Connection is closed"))).as("nobody has tried to connect again").isFalse();
    assertThat(Reachability.isLost(new StoreUnavailable("its connections lead to different servers"))).isFalse();
  }
}
