package dev.gatehouse.common.valkey;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.HotData;
import dev.gatehouse.common.store.KeySpaces;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.PermitCounters;
import dev.gatehouse.common.throttle.QuotaAccount;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores on one Valkey primary that all nodes of a deployment share. A write returns once it is acknowledged as configured; too few
 * acknowledgements are {@link StoreUnavailable}, and what was consumed stays consumed. Nothing expires by the server's clock: nodes remove
 * what has expired for longer than their clocks may differ.
 */
public final class ValkeyStores implements Stores, AutoCloseable {

  /** The number of sessions that a node keeps near at most; fewer where a sixth of its heap has no room for them. */
  public static final int MOST_NEAR = NearEntries.MOST;

  private static final Logger LOG = LoggerFactory.getLogger(ValkeyStores.class);
  private static final Duration CLOCKS = Duration.ofMinutes(5);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int SWEEP_SECONDS = 10;
  private static final int SWEPT_AT_ONCE = 500;
  private static final String TOKENS = "tokens-not-before";

  private final ValkeyLink link;
  private final PendingEnds pendingEnds;
  private final NearCaches caches = new NearCaches();
  private final InstantSource time;
  private final UnreadRecords unread;
  private final KeySpaces keySpaces = new KeySpaces();
  private final ReplayCache replayCache;
  private final ValkeyHotData hot;
  private final List<ValkeySessionStore<?>> sessions = new CopyOnWriteArrayList<>();
  private volatile Optional<OutageRecord> outages = Optional.empty();
  private final Thread sweeper;

  /**
   * What the stores need of the node.
   *
   * @param pendingEnds the file of ends of sessions that no server took yet; absent where nothing outlives the process
   */
  public record Node(
      SealingKey sealing, InstantSource time, RandomGenerator random, MetricFamilies metrics, Optional<Path> pendingEnds) {
    public Node(SealingKey sealing, InstantSource time, RandomGenerator random, MetricFamilies metrics) {
      this(sealing, time, random, metrics, Optional.empty());
    }
  }

  /**
   * Opens the stores. Does not throw if there is no server: {@link #problem} tells why, and connecting goes on.
   *
   * @param admission checks each new connection, beside what is checked of every server
   */
  public ValkeyStores(ValkeyConfig config, Node node, Admission admission) {
    this.time = node.time();
    this.unread = new UnreadRecords(time);
    Names names = new Names(config.namespace(), node.sealing(), node.random(), unread);
    this.link = new ValkeyLink(config, names, admission, caches, new LinkTimes(node.metrics(), caches::servedStale));
    this.pendingEnds = new PendingEnds(node.pendingEnds());
    caches.connect(link);
    ValkeyReplayCache marks = new ValkeyReplayCache(link, time);
    this.replayCache = marks;
    this.hot = new ValkeyHotData(link, marks, time, this::refuseTokensBefore);
    this.sweeper = Thread.ofVirtual().name("valkey-sweeper").start(this::sweep);
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    keySpaces.claim(name);
    ValkeySessionStore.Kind<S> kind = new ValkeySessionStore.Kind<>(codec, expired);
    ValkeySessionStore<S> store = new ValkeySessionStore<>(link, name, kind, time, caches, pendingEnds);
    sessions.add(store);
    return store;
  }

  @Override
  public <S extends Session> Optional<SessionStore<S>> sessionsIfShared(String name, ValueCodec<S> codec) {
    return Optional.of(sessions(name, codec));
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new ValkeySingleUseStore<>(link, name, time, codec);
  }

  @Override
  public <V> LimitedStore<V> limited(String name, ValueCodec<V> codec, FairQuota.Limits limits, InstantSource clock) {
    keySpaces.claim(name);
    return new ValkeyLimitedStore<>(link, name, clock, codec, limits);
  }

  @Override
  public <V> Optional<LimitedStore<V>> limitedIfShared(String name, ValueCodec<V> codec, FairQuota.Limits limits) {
    return Optional.of(limited(name, codec, limits, time));
  }

  @Override
  public QuotaAccount account(String name, QuotaAccount.Limits limits, InstantSource clock) {
    keySpaces.claim(name);
    return new ValkeyQuotaAccount(link, name, limits, clock);
  }

  @Override
  public <V> Optional<SingleUseStore<V>> singleUseIfShared(String name, ValueCodec<V> codec) {
    return Optional.of(singleUse(name, codec));
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new ValkeyDueStore<>(link, name, time, codec);
  }

  @Override
  public ReplayCache replayCache() {
    return replayCache;
  }

  @Override
  public PermitCounters permits(String name) {
    keySpaces.claim(name);
    return new ValkeyPermitCounters(link, name);
  }

  @Override
  public SortedMap<String, Integer> unread() {
    return unread.counts();
  }

  @Override
  public boolean isOutOfReach() {
    return link.isOutOfReach();
  }

  @Override
  public Optional<String> problem() {
    return link.problem().map(reason -> "Valkey is not used: " + reason);
  }

  /** Returns the place of the installation's record in Valkey. */
  public RecordLocation installationRecord() {
    return new ValkeyRecord(link);
  }

  /**
   * Returns the highest sequence that the server acknowledged to this node. Raised twice a second; a server whose sequence is lower than
   * one that was acknowledged has older data.
   */
  public long sequence() {
    return link.sequence();
  }

  /** Returns the time by the clock of the server. */
  public Instant clock() {
    List<byte[]> secondsAndMicros = link.read(server -> server.time());
    return Instant.ofEpochSecond(Long.parseLong(new String(secondsAndMicros.getFirst(), StandardCharsets.US_ASCII)));
  }

  /** Records outages in the audit log from now on. */
  public void audit(AuditLog audit) {
    outages = Optional.of(new OutageRecord(audit));
  }

  /** Returns how many times a session was served that no server could confirm, within {@code staleness}. */
  public long servedStale() {
    return caches.servedStale();
  }

  @Override
  public Instant tokensNotBefore() {
    return Optional.ofNullable(link.read(server -> server.get(link.names().key(TOKENS))))
        .map(bytes -> Instant.parse(new String(bytes, StandardCharsets.UTF_8)))
        .orElse(Instant.EPOCH);
  }

  /** Refuses tokens issued before that time: their revocations were lost. */
  public void refuseTokensBefore(Instant instant) {
    byte[] text = instant.toString().getBytes(StandardCharsets.UTF_8);
    link.write(Script.RECORD_WRITE, new byte[][] {link.names().key(TOKENS)}, text);
  }

  /** Removes everything in the namespace, for a recovery or a move: no other node may run. */
  public void clear() {
    byte[] sequence = link.names().key("sequence");
    hot.eachKey(
        "",
        keys -> {
          byte[][] others = keys.stream().filter(key -> !Arrays.equals(key, sequence)).toArray(byte[][]::new);
          if (others.length > 0) {
            link.read(server -> server.unlink(others));
          }
        });
    // Last: without it the next heartbeat would take the server for an older one.
    link.beginSequence();
  }

  /** Returns whether nothing is in the namespace. */
  public boolean isEmpty() {
    return hot.isEmpty();
  }

  /** Returns access to whole key spaces, for a move. */
  public HotData hotData() {
    return hot;
  }

  private void sweep() {
    try {
      for (int seconds = 1; true; seconds++) {
        Thread.sleep(SECOND);
        attempt(() -> outages.ifPresent(record -> record.look(link.problem(), caches.servedStale())));
        if (link.isFresh()) {
          for (ValkeySessionStore<?> store : sessions) {
            attempt(store::deliverEnds);
          }
        }
        if (seconds % SWEEP_SECONDS == 0) {
          attempt(this::sweepOnce);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever one store's data do to this node, the others are swept, and ends are delivered. */
  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (StoreUnavailable e) {
      LOG.debug("Nothing is swept: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("What has expired or ended cannot be removed; it is tried again and again", e);
    }
  }

  /**
   * Removes what has expired, by the clock of this node and by that of the server. Every node does so; two that do it at once do it once.
   */
  void sweepOnce() {
    Instant before = time.instant().minus(CLOCKS);
    byte[] most = Names.ascii(String.valueOf(SWEPT_AT_ONCE));
    byte[] clocks = Names.ascii(String.valueOf(CLOCKS.toMillis()));
    boolean more = true;
    while (more) {
      // A full server refuses heartbeats, and is freed by this all the same.
      more = link.write(Script.SWEEP, new byte[0][], link.names().prefix(), Names.digits(before), most, clocks).isDone();
    }
    Instant there = clock().minus(CLOCKS);
    Instant first = there.isBefore(before) ? there : before;
    for (ValkeySessionStore<?> store : sessions) {
      while (store.sweep(first, SWEPT_AT_ONCE)) {
        LOG.debug("More sessions have expired");
      }
    }
  }

  @Override
  public void close() {
    sweeper.interrupt();
    link.close();
  }
}
