package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.gatehouse.common.directory.Connections.Use;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One LDAP server and whether it is up. One that does not answer in time is suspect: other servers are asked before it until a
 * probe in the background succeeds. After {@value #FAILURES_UNTIL_DOWN} failures in a row, a failed probe or a refusal of the
 * service account it is down and costs callers nothing.
 */
final class LdapServer implements AutoCloseable {

  /** What to do with a connection. */
  interface Work<T> {
    T on(LDAPConnection connection) throws LDAPException;
  }

  /** This server did not do it; the next one may. */
  static final class ServerFailed extends Exception {
    private static final long serialVersionUID = 1;

    ServerFailed(LdapServer server, String why) {
      super(server + ": " + why, null, false, false);
    }
  }

  enum State {
    UP,
    SUSPECT,
    DOWN
  }

  private static final int FAILURES_UNTIL_DOWN = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A wrong service password is not tried often where nobody asks: the directory may lock the account. */
  private static final Duration PAUSE_AFTER_WRONG_PASSWORD = Duration.ofSeconds(30);

  /** For those who ask it is tried again after this: a corrected one counts within a second, the try itself included. */
  static final Duration LEAST_BETWEEN_PASSWORDS = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(LdapServer.class);

  private final Server address;
  private final Connector connector;
  private final Connections connections;
  private final long patienceMillis;
  private final AtomicInteger failures = new AtomicInteger();
  private final Semaphore probeWanted = new Semaphore(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ReentrantLock probing = new ReentrantLock();
  private volatile State state = State.UP;
  private volatile boolean wrongPassword;
  private long probedAt;

  /** Begins at once to look, in the background, whether the server is there. */
  LdapServer(Server address, DirectoryConfig config, Connector connector) {
    this.address = address;
    this.connector = connector;
    this.connections = new Connections(config.poolSize());
    this.patienceMillis = config.responseTimeout().toMillis();
    Thread.ofVirtual().name("ldap-probe").start(this::probeWhenWanted);
  }

  State state() {
    return state;
  }

  /** Whether it may be asked at all. */
  boolean isUp() {
    return state != State.DOWN;
  }

  /**
   * Whether it is up after all where it has refused the service account: looks again on the caller's thread, if nobody did just
   * now. Its last answer was quick, so this is.
   */
  boolean isUpAfterAll() {
    if (!wrongPassword) {
      return isUp();
    }
    try {
      if (probing.tryLock(patienceMillis, TimeUnit.MILLISECONDS)) {
        try {
          if (!isUp() && System.nanoTime() - probedAt >= LEAST_BETWEEN_PASSWORDS.toNanos()) {
            probe();
          }
        } finally {
          probing.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return isUp();
  }

  /**
   * Runs the work on a connection. What the directory answers about a person is the work's to understand; throws {@link
   * ServerFailed} where it answered nothing useful.
   */
  <T> T run(Use use, Work<T> work) throws ServerFailed {
    State before = state;
    enter();
    try {
      // Worse since we began to wait: those who had the connections found that out.
      if (state.compareTo(before) > 0) {
        throw new ServerFailed(this, state == State.DOWN ? "down" : "does not answer in time");
      }
      return onConnection(use, work);
    } finally {
      connections.leave();
    }
  }

  private void enter() throws ServerFailed {
    try {
      if (!connections.enter(patienceMillis)) {
        throw new ServerFailed(this, "all connections are busy");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed(this, "interrupted");
    }
  }

  private <T> T onConnection(Use use, Work<T> work) throws ServerFailed {
    Optional<LDAPConnection> rested = connections.take(use);
    while (rested.isPresent()) {
      try {
        return attempt(use, work, rested.get());
      } catch (LDAPException e) {
        if (!e.getResultCode().equals(ResultCode.SERVER_DOWN)) {
          throw understood(e);
        }
        // Closed while it rested, by a restart for example; the others are no better.
        connections.dropResting();
        rested = connections.take(use);
      }
    }
    LDAPConnection connection = opened(use);
    try {
      return attempt(use, work, connection);
    } catch (LDAPException e) {
      throw understood(e);
    }
  }

  /** Takes the connection back if it is still good, gives its place up if not. */
  private <T> T attempt(Use use, Work<T> work, LDAPConnection connection) throws LDAPException {
    boolean sound = false;
    try {
      T result = work.on(connection);
      sound = connection.isConnected();
      failures.set(0);
      return result;
    } catch (LDAPException e) {
      sound = isAnswer(e);
      throw e;
    } finally {
      if (sound) {
        connections.rest(use, connection);
      } else {
        connections.free();
        connection.close();
      }
    }
  }

  private LDAPConnection opened(Use use) throws ServerFailed {
    try {
      return connect(use);
    } catch (LDAPException e) {
      connections.free();
      throw failed(e);
    }
  }

  private LDAPConnection connect(Use use) throws LDAPException {
    LDAPConnection connection = connector.open(address);
    try {
      if (use == Use.SEARCH) {
        connector.bindService(connection);
      }
      return connection;
    } catch (LDAPException e) {
      connection.close();
      throw e;
    }
  }

  private ServerFailed understood(LDAPException e) {
    return isAnswer(e) ? new ServerFailed(this, describe(e)) : failed(e);
  }

  private ServerFailed failed(LDAPException e) {
    boolean refused = e.getResultCode().equals(ResultCode.INVALID_CREDENTIALS);
    if (refused || failures.incrementAndGet() >= FAILURES_UNTIL_DOWN) {
      worsen(State.DOWN, e);
    } else if (e.getResultCode().equals(ResultCode.TIMEOUT) || e.getResultCode().equals(ResultCode.CONNECT_ERROR)) {
      worsen(State.SUSPECT, e);
    }
    return new ServerFailed(this, describe(e));
  }

  private static String describe(LDAPException e) {
    String message = String.valueOf(e.getMessage());
    // The SDK nests its version, and what caused it, into messages.
    int end = message.indexOf(", ldapSDKVersion");
    return e.getResultCode().getName() + ": " + (end < 0 ? message : message.substring(0, end));
  }

  /** Whether the server said this, about the request and not about itself. */
  private static boolean isAnswer(LDAPException e) {
    return e.getResultCode().isConnectionUsable() && !e.getResultCode().isClientSideResultCode();
  }

  private synchronized void worsen(State worse, LDAPException why) {
    if (worse.compareTo(state) > 0) {
      state = worse;
      LOG.warn("directory server {} is {}: {}", this, worse == State.DOWN ? "down" : "suspect", describe(why));
      probeWanted.release();
    }
    wrongPassword |= why.getResultCode().equals(ResultCode.INVALID_CREDENTIALS);
  }

  private synchronized void recover() {
    failures.set(0);
    wrongPassword = false;
    if (state != State.UP) {
      connections.dropResting();
      state = State.UP;
      LOG.info("directory server {} is up again", this);
    }
  }

  private void probeWhenWanted() {
    try {
      while (true) {
        probeWanted.acquire();
        probeWanted.drainPermits();
        if (isClosed() || !probeUntilUp()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** False where the server was closed meanwhile: nobody wants to know any more. */
  private boolean probeUntilUp() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    for (Optional<LDAPException> failure = look(); failure.isPresent(); failure = look()) {
      boolean wrong = failure.get().getResultCode().equals(ResultCode.INVALID_CREDENTIALS);
      if (closed.await((wrong ? PAUSE_AFTER_WRONG_PASSWORD : pause).toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
    }
    return true;
  }

  private Optional<LDAPException> look() throws InterruptedException {
    probing.lockInterruptibly();
    try {
      return probe();
    } finally {
      probing.unlock();
    }
  }

  /**
   * Opens a connection outside the cap, binds as the service account and reads an entry, since some servers answer binds
   * while their database hangs; the failure, or empty once the server is up. One at a time.
   */
  private Optional<LDAPException> probe() {
    try (LDAPConnection connection = connect(Use.SEARCH)) {
      connector.readBase(connection);
    } catch (LDAPException e) {
      if (!isClosed()) {
        worsen(State.DOWN, e);
      }
      return Optional.of(e);
    } finally {
      probedAt = System.nanoTime();
    }
    recover();
    return Optional.empty();
  }

  @Override
  public void close() {
    // A probe under way ends by itself within its timeouts: the SDK leaves its socket open where it is interrupted.
    closed.countDown();
    probeWanted.release();
    connections.close();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Connections that are open now; for tests. */
  int openConnections() {
    return connections.open();
  }

  @Override
  public String toString() {
    return address.host() + ":" + address.port();
  }
}
