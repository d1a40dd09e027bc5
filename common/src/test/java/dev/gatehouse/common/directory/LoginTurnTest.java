package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A login waits once for a place at the directory, whatever it does there. */
@Timeout(60)
final class LoginTurnTest {

  private static final String ALICE = "uid=alice";

  /** What the server is asked about people, in order; the first search waits until it may be answered. */
  private static final class Order extends InMemoryOperationInterceptor {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request) {
      if (note(request.getRequest().getFilter().toString())) {
        begun.countDown();
        await(answer);
      }
    }

    @Override
    public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) {
      note(request.getRequest().getBindDN());
    }

    /** Returns whether it was the first. */
    private boolean note(String text) {
      if (text.contains(ALICE) || text.contains("uid=bob")) {
        asked.add(text.contains(ALICE) ? "alice" : "bob");
      }
      return asked.size() == 1;
    }
  }

  @Test
  void oneThatHasBegunDoesNotQueueAgainBehindOthers() throws Exception {
    Order order = new Order();
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF, order);
        LdapDirectory directory =
            new LdapDirectory(
                TestPeople.config(
                    Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(TestPeople.SERVICE), TestPeople.SERVICE_PASSWORD, 1,
                    server.port()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Authentication> alice = threads.submit(() -> directory.authenticate("alice", Password.of("demo")));
      await(order.begun);
      Future<Authentication> bob = threads.submit(() -> directory.authenticate("bob", Password.of("demo")));
      Connections connections = directory.connections().findFirst().orElseThrow();
      Eventually.holds(() -> connections.waiting() == 1);
      order.answer.countDown();
      assertThat(alice.get()).isInstanceOf(Authentication.Accepted.class);
      assertThat(bob.get()).isInstanceOf(Authentication.Accepted.class);
      assertThat(order.asked).containsExactly("alice", "alice", "alice", "bob", "bob", "bob");
      assertThat(connections.used()).isZero();
    }
  }

  /** The time for which a refusal is held back is spent without a connection. */
  @Test
  void refusedOnesGiveTheirPlaceBack() {
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(server.port()))) {
      assertThat(directory.authenticate("alice", Password.of("wrong"))).isInstanceOf(Authentication.Refused.class);
      assertThat(directory.authenticate("nobody", Password.of("wrong"))).isInstanceOf(Authentication.Refused.class);
      assertThat(directory.connections().mapToInt(Connections::used).sum()).isZero();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
