package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.gatehouse.common.directory.Connections.Taken;
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
 * One LDAP server and its state. A server that does not answer in time is suspect: other servers are used before it until a probe
 * in the background succeeds. It is down after {@value #FAILURES_UNTIL_DOWN} failures in a row, a failed probe or a refusal of the
 * service account; a server that is down costs callers no time.
 */
final class LdapServer implements AutoCloseable {

  /** An operation on a connection. */
  interface Work<T> {
    T on(LDAPConnection connection) throws LDAPException;
  }

  /** This server did not do the work; the next one may. */
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

  /** A wrong service password is rarely retried without demand: the directory may lock the account. */
  private static final Duration PAUSE_AFTER_WRONG_PASSWORD = Duration.ofSeconds(30);

  /** With demand it is retried after this time: a corrected password works within a second, including the retry itself. */
  static final Duration MIN_BETWEEN_PASSWORD_PROBES = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(LdapServer.class);

  private final Server address;
  private final Connector connector;
  private final Connections connections;
  private final long timeoutMillis;
  private final AtomicInteger failures = new AtomicInteger();
  private final Semaphore probeWanted = new Semaphore(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ReentrantLock probing = new ReentrantLock();
  private volatile State state = State.UP;
  private volatile boolean wrongPassword;
  private long probedAt;

  /** Starts probing the server in the background. */
  LdapServer(Server address, DirectoryConfig config, Connector connector) {
    this.address = address;
    this.connector = connector;
    this.timeoutMillis = config.pool().responseTimeout().toMillis();
    this.connections = new Connections(config.pool().size(), config.bindDn().isPresent(), timeoutMillis);
    Thread.ofVirtual().name("ldap-probe").start(this::probeWhenWanted);
  }

  Connections connections() {
    return connections;
  }

  State state() {
    return state;
  }

  /** Returns whether the server may be used at all. */
  boolean isUp() {
    return state != State.DOWN;
  }

  /**
   * Returns whether the server is up. If it has refused the service account, probes it again on the caller's thread, unless that was
   * just done. The refusal was quick, so this probe is quick too.
   */
  boolean isUpAfterAll() {
    if (!wrongPassword) {
      return isUp();
    }
    try {
      if (probing.tryLock(timeoutMillis, TimeUnit.MILLISECONDS)) {
        try {
          if (!isUp() && System.nanoTime() - probedAt >= MIN_BETWEEN_PASSWORD_PROBES.toNanos()) {
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
   * Runs the work on a connection. The work interprets responses about a person; throws {@link ServerFailed} if the server gave no
   * useful response.
   */
  <T> T run(Use use, Work<T> work) throws ServerFailed {
    State before = state;
    enter();
    try {
      // The state became worse while we waited: the users of the connections found that out.
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
      if (!connections.enter()) {
        throw new ServerFailed(this, "all connections are busy");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed(this, "interrupted");
    }
  }

  private <T> T onConnection(Use use, Work<T> work) throws ServerFailed {
    for (Optional<Taken> idle = connections.take(use); idle.isPresent(); idle = connections.take(use)) {
      try {
        return attempt(use, work, bound(use, idle.get()));
      } catch (LDAPException e) {
        if (!e.getResultCode().equals(ResultCode.SERVER_DOWN)) {
          throw understood(e);
        }
        // Closed while it was idle, for example by a restart; the other idle connections are closed too.
        connections.closeIdle();
      }
    }
    LDAPConnection connection = opened(use);
    try {
      return attempt(use, work, connection);
    } catch (LDAPException e) {
      throw understood(e);
    }
  }

  /** Returns the connection, bound as the service account if it is to search and was bound as a person. */
  private LDAPConnection bound(Use use, Taken taken) throws LDAPException, ServerFailed {
    LDAPConnection connection = taken.connection();
    if (use == taken.before() || use == Use.BIND) {
      return connection;
    }
    try {
      connector.bindService(connection);
      return connection;
    } catch (LDAPException e) {
      connections.free();
      connection.close();
      if (e.getResultCode().equals(ResultCode.SERVER_DOWN)) {
        throw e;
      }
      throw failed(e);
    }
  }

  /** Returns the connection to the pool if it still works, and gives up its slot otherwise. */
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
        connections.putBack(use, connection);
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
    // The SDK puts its version and nested causes into messages.
    int end = message.indexOf(", ldapSDKVersion");
    return e.getResultCode().getName() + ": " + (end < 0 ? message : message.substring(0, end));
  }

  /** Returns whether the exception is a response about the request and not a failure of the server. */
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
      connections.closeIdle();
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

  /** Returns false if the server was closed meanwhile. */
  private boolean probeUntilUp() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    for (Optional<LDAPException> failure = probeLocked(); failure.isPresent(); failure = probeLocked()) {
      boolean wrong = failure.get().getResultCode().equals(ResultCode.INVALID_CREDENTIALS);
      if (closed.await((wrong ? PAUSE_AFTER_WRONG_PASSWORD : pause).toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
    }
    return true;
  }

  private Optional<LDAPException> probeLocked() throws InterruptedException {
    probing.lockInterruptibly();
    try {
      return probe();
    } finally {
      probing.unlock();
    }
  }

  /**
   * Opens a connection outside the cap, binds as the service account and reads an entry, since some servers answer binds while
   * their database hangs. Returns the failure; empty if the server is up. Runs one at a time.
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
    // A probe under way ends by itself within its timeouts: the SDK would leave its socket open if it were interrupted.
    closed.countDown();
    probeWanted.release();
    connections.close();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Returns the number of connections open now; for tests. */
  int openConnections() {
    return connections.open();
  }

  @Override
  public String toString() {
    return address.host() + ":" + address.port();
  }
}
