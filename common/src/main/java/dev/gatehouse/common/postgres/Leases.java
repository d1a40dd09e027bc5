package dev.gatehouse.common.postgres;

import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.common.throttle.Turn;
import dev.gatehouse.common.throttle.Turns;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Leases of scheduled work that one node does for all. A node that holds one renews it every few seconds; the lease of a node that is gone
 * ends by the clock of the database, and another node takes it.
 *
 * <p>A node that was stopped for longer than its lease lasts may still work on. What it writes is in one transaction with a look at the
 * fencing number, which is higher once another node holds the lease ({@link Turn#write}).
 */
public final class Leases implements Turns, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

  /** How long a lease lasts unless it is renewed; another node takes over within this time and one renewal. */
  static final Duration TERM = Duration.ofSeconds(20);

  static final Duration RENEWAL = Duration.ofSeconds(5);

  /** Takes a lease that is free, over, or this node's own; its end is the database's clock. */
  private static final String TAKE =
      """
      insert into lease as held (name, fence, holder, ends_at) values (?, 1, ?, now() + make_interval(secs => ?))
      on conflict (name) do update set
        fence = case when held.holder = excluded.holder and held.ends_at > now() then held.fence else held.fence + 1 end,
        holder = excluded.holder, ends_at = excluded.ends_at
      where held.holder = excluded.holder or held.ends_at <= now()
      returning fence
      """;

  /** A transaction of a node that stands still would keep others from the lease for as long as its connection lives. */
  private static final String SHORT = "set local idle_in_transaction_session_timeout = '5s'";

  private record Held(long fence, long untilNanos) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String holder;
  private final Duration term;
  private final Map<String, Held> held = new ConcurrentHashMap<>();
  private final Set<String> givenBack = ConcurrentHashMap.newKeySet();
  private final RepeatedTask renewal;
  private volatile boolean closed;

  /** @param holder identifies this process among all */
  public Leases(PostgresDatabase database, String holder) {
    this(database, holder, RENEWAL, TERM);
  }

  Leases(PostgresDatabase database, String holder, Duration renewal, Duration term) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    this.holder = holder;
    this.term = term;
    this.renewal = RepeatedTask.every(renewal, "leases", "Leases of scheduled work cannot be renewed", this::renew);
  }

  @Override
  public Optional<Turn> take(String work) {
    givenBack.remove(work);
    return fence(work).map(fence -> writes -> write(work, fence, writes));
  }

  @Override
  public void giveBack(String work) {
    givenBack.add(work);
    if (held.remove(work) != null) {
      jdbc.sql("update lease set ends_at = now() where name = ? and holder = ?").params(work, holder).update();
    }
  }

  private boolean write(String name, long fence, Runnable writes) {
    boolean isOurs =
        Boolean.TRUE.equals(
            transaction.execute(
                status -> {
                  jdbc.sql(SHORT).update();
                  boolean ours = isCurrent(name, fence);
                  if (ours) {
                    writes.run();
                  }
                  return ours;
                }));
    if (!isOurs) {
      held.computeIfPresent(name, (key, last) -> last.fence() == fence ? null : last);
    }
    return isOurs;
  }

  /** Returns the fencing number while this node holds the lease, which it takes if nobody does. */
  Optional<Long> fence(String name) {
    Held known = held.get(name);
    if (known != null && System.nanoTime() - known.untilNanos() < 0) {
      return Optional.of(known.fence());
    }
    return ask(name);
  }

  /** Returns whether the lease is still that of the holder with this number; it stays so until the transaction ends. */
  boolean isCurrent(String name, long fence) {
    Optional<Long> now = jdbc.sql("select fence from lease where name = ? for share").param(name).query(Long.class).optional();
    return now.isPresent() && now.get() == fence;
  }

  private Optional<Long> ask(String name) {
    if (closed) {
      return Optional.empty();
    }
    // The own end is reckoned from before the question: it comes before that of the database.
    long until = System.nanoTime() + term.toNanos();
    Optional<Long> fence = jdbc.sql(TAKE).params(name, holder, term.toSeconds()).query(Long.class).optional();
    fence.ifPresentOrElse(number -> held.put(name, new Held(number, until)), () -> held.remove(name));
    return fence;
  }

  private void renew() {
    for (String name : held.keySet()) {
      ask(name);
      // Meanwhile it was given back, and has just been taken again.
      if (givenBack.contains(name)) {
        giveBack(name);
      }
    }
  }

  /** Gives the leases back, so that another node takes them at once. */
  @Override
  public void close() {
    closed = true;
    renewal.close();
    held.clear();
    try {
      jdbc.sql("update lease set ends_at = now() where holder = ?").param(holder).update();
    } catch (DataAccessException e) {
      LOG.warn("Leases were not given back; they end by themselves within {} s", term.toSeconds());
    }
  }
}
