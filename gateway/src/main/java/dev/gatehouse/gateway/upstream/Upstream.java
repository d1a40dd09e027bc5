package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.gateway.upstream.AppServer.State;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An app: its servers, and the choice of the server for a request. The servers' states are shared with other routes.
 */
public final class Upstream {

  /**
   * A server as one app uses it.
   *
   * @param index its bit among the servers that a request has tried
   * @param basePath the prefix of every request's path; empty, or with a slash at its beginning and none at its end
   * @param label for logs: host and port
   */
  public record Member(AppServer server, int index, String basePath, int weight, boolean backup, long hash, byte[] label) {

    public long bit() {
      return 1L << index;
    }
  }

  private final UpstreamConfig config;
  private final UpstreamTimeouts timeouts;
  private final Member[] members;
  private final boolean hashed;
  private final boolean backups;
  private final AtomicInteger retrying = new AtomicInteger();
  private final long[] chosenAt;
  private long turn;

  Upstream(UpstreamConfig config, UpstreamTimeouts timeouts, List<Member> members) {
    this.config = config;
    this.timeouts = timeouts;
    this.members = members.toArray(Member[]::new);
    this.chosenAt = new long[members.size()];
    this.hashed = !(config.balance() instanceof Balance.LeastOutstanding);
    this.backups = members.stream().anyMatch(Member::backup);
  }

  /** An upstream that shares nothing with others, for tests. */
  public static Upstream of(UpstreamConfig config) {
    return Upstreams.detached().draft().add(config);
  }

  static String basePath(URI url) {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  public UpstreamConfig config() {
    return config;
  }

  public UpstreamTimeouts timeouts() {
    return timeouts;
  }

  /** Returns whether {@link #choose} needs a key. */
  public boolean isHashed() {
    return hashed;
  }

  public List<Member> members() {
    return List.of(members);
  }

  /** The name of the app in metrics: its first server, and how many more there are; {@code -} if another proxy serves it. */
  String label() {
    if (members.length == 0) {
      return "-";
    }
    return members[0].server().id() + (members.length == 1 ? "" : "+" + (members.length - 1));
  }

  /** The origin of the first server; the schemes of all are alike. */
  public Origin origin() {
    return members[0].server().origin();
  }

  /**
   * The server for a request; null if none is left.
   *
   * @param key distinguishes people if {@link #isHashed}
   * @param tried the bits of the members that this request has tried
   * @param repeatable whether the request may try a server that failed before
   */
  public @Nullable Member choose(long key, long tried, boolean repeatable, long now) {
    if (members.length == 1) {
      return only(tried, now);
    }
    Member found = best(key, tried, repeatable, now, false);
    if (found == null && backups) {
      found = best(key, tried, repeatable, now, true);
    }
    // Failed requests only indicate a failure, so such a server is better than none. Failed health checks prove it.
    return found != null ? found : suspect(tried, now);
  }

  private @Nullable Member only(long tried, long now) {
    Member member = members[0];
    if (tried != 0 || isFull(member)) {
      return null;
    }
    return switch (member.server().state(now)) {
      case UP, OUT, ON_TRIAL -> member;
      case DOWN, DRAINING -> null;
    };
  }

  private @Nullable Member best(long key, long tried, boolean repeatable, long now, boolean backup) {
    Member best = null;
    double bestScore = 0;
    for (Member member : members) {
      if (member.backup() != backup || (tried & member.bit()) != 0 || isFull(member)) {
        continue;
      }
      AppServer server = member.server();
      State state = server.state(now);
      if (state == State.ON_TRIAL && repeatable && server.beginTrial()) {
        return member;
      }
      if (state != State.UP) {
        continue;
      }
      double score = hashed ? RendezvousHash.score(key, member) : load(member, now);
      if (best == null || score < bestScore || score == bestScore && isLongerAgo(member, best)) {
        best = member;
        bestScore = score;
      }
    }
    return recordTurn(best);
  }

  /** Equal scores are resolved in rotation: the member that was chosen the longest time ago wins. */
  private boolean isLongerAgo(Member one, Member other) {
    return !hashed && chosenAt[one.index()] < chosenAt[other.index()];
  }

  /** Not synchronized: a lost update gives a server one extra turn. */
  private @Nullable Member recordTurn(@Nullable Member chosen) {
    if (chosen != null && !hashed) {
      chosenAt[chosen.index()] = ++turn;
    }
    return chosen;
  }

  /** The member with the least load among those that failed requests, backup or not. */
  private @Nullable Member suspect(long tried, long now) {
    Member best = null;
    double bestScore = 0;
    for (Member member : members) {
      if ((tried & member.bit()) != 0 || isFull(member)) {
        continue;
      }
      boolean suspected =
          switch (member.server().state(now)) {
            case OUT, ON_TRIAL, UP -> true;
            case DOWN, DRAINING -> false;
          };
      double score = load(member, now);
      if (suspected && (best == null || score < bestScore || score == bestScore && isLongerAgo(member, best))) {
        best = member;
        bestScore = score;
      }
    }
    return recordTurn(best);
  }

  private boolean isFull(Member member) {
    int most = config.connections().perServer();
    return most > 0 && member.server().outstanding() >= most;
  }

  private static double load(Member member, long now) {
    return (member.server().outstanding() + 1) / (member.weight() * member.server().share(now));
  }

  /** Returns whether one more request may be retried; {@link #retryEnded} must follow if so. */
  public boolean mayRetry() {
    int running = 0;
    for (Member member : members) {
      running += member.server().outstanding();
    }
    int most = Math.max(LEAST_RETRIES, running * config.retries().budget() / 100);
    if (retrying.incrementAndGet() > most) {
      retrying.decrementAndGet();
      return false;
    }
    return true;
  }

  public void retryEnded() {
    retrying.decrementAndGet();
  }

  /** The number of retries that are always permitted, so that an app with few requests may retry them all. */
  private static final int LEAST_RETRIES = 100;
}
