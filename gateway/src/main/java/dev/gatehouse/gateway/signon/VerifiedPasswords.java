package dev.gatehouse.gateway.signon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.signon.CredentialDigests.Key;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.local.LocalSignOn.Attempt;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Cache of names and passwords that the directory has recently accepted, and their sessions. It only identifies the
 * person; the session decides at every request whether access is still permitted: ending the session, or changing the
 * password through Gatehouse, makes the entry useless. Refusals are not cached, because each counts as a guess.
 */
public final class VerifiedPasswords {

  /** The memory of an entry in bytes, estimated generously. */
  private static final long BYTES_EACH = 320;

  /** Entries that are unused for this long are dropped; every configured cache time is shorter. */
  private static final Duration UNUSED = Duration.ofHours(1);

  /**
   * @param realm as it was configured then; the entry is not used with another configuration
   * @param verified milliseconds since the epoch
   */
  record Entry(Realm realm, SessionId session, long nonce, long verified) {}

  /** The cache's result for a request's credentials. */
  public static final class Known {
    private final Key key;
    private final @Nullable Entry entry;
    private final boolean counts;

    private Known(Key key, @Nullable Entry entry, boolean counts) {
      this.key = key;
      this.entry = entry;
      this.counts = counts;
    }

    /** The session that the credentials have opened; empty if the directory must be asked. */
    public Optional<SessionId> session() {
      Entry known = entry;
      return known == null || !counts ? Optional.empty() : Optional.of(known.session());
    }

    /** Returns whether the credentials have opened a session before, even if the directory must be asked again. */
    public boolean hasEntry() {
      return entry != null;
    }
  }

  /**
   * The result of asking the directory.
   *
   * @param token of the session, if one is open
   */
  public record Verified(Outcome outcome, Optional<SessionToken> token) {}

  private record Result(Outcome outcome, @Nullable Entry entry) {}

  private final LocalSignOn signOn;
  private final CredentialDigests digests;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Cache<Key, Entry> entries;
  private final Map<Key, CompletableFuture<Result>> running = new ConcurrentHashMap<>();

  /** The cache may use a sixteenth of the heap. */
  public VerifiedPasswords(LocalSignOn signOn, InstantSource time, RandomGenerator random) {
    this(signOn, time, random, Math.max(10_000, Runtime.getRuntime().maxMemory() / 16 / BYTES_EACH));
  }

  VerifiedPasswords(LocalSignOn signOn, InstantSource time, RandomGenerator random, long most) {
    this.signOn = signOn;
    this.digests = new CredentialDigests(random);
    this.time = time;
    this.random = random;
    this.entries = Caffeine.newBuilder().maximumSize(most).expireAfterAccess(UNUSED).executor(Runnable::run).build();
  }

  /** Looks the credentials up; never blocks. */
  public Known find(Realm realm, SignOnContract.Basic contract, BasicCredentials.Sent credentials) {
    Key key = digests.key(realm.name(), credentials);
    Entry entry = entries.getIfPresent(key);
    boolean counts =
        entry != null && entry.realm() == realm && time.millis() - entry.verified() < contract.cache().toMillis();
    return new Known(key, entry, counts);
  }

  /** The token of the session of a cached entry; never blocks. */
  public Optional<SessionToken> token(Realm realm, BasicCredentials.Sent credentials, Known known) {
    Entry entry = known.entry;
    return entry == null ? Optional.empty() : Optional.of(digests.token(realm.name(), credentials, entry.nonce()));
  }

  /** Removes an entry whose session has ended. */
  public void forget(Known known) {
    Entry entry = known.entry;
    if (entry != null) {
      entries.asMap().remove(known.key, entry);
    }
  }

  /**
   * Asks the directory. Concurrent requests with the same credentials wait for the same answer. Blocks.
   *
   * @param before the browser's token
   * @param anew whether a new session must be opened in any case
   */
  public Verified verify(
      Realm realm,
      InetAddress client,
      Origin origin,
      BasicCredentials.Sent credentials,
      Known known,
      Optional<SessionToken> before,
      boolean anew) {
    CompletableFuture<Result> mine = new CompletableFuture<>();
    CompletableFuture<Result> first = running.putIfAbsent(known.key, mine);
    Result result;
    if (first == null) {
      try {
        result = ask(realm, client, origin, credentials, known, before, anew);
        mine.complete(result);
      } catch (Throwable e) {
        mine.completeExceptionally(e);
        throw e;
      } finally {
        running.remove(known.key, mine);
      }
    } else {
      result = await(first);
    }
    Entry entry = result.entry();
    Optional<SessionToken> token =
        entry == null ? Optional.empty() : Optional.of(digests.token(realm.name(), credentials, entry.nonce()));
    return new Verified(result.outcome(), token);
  }

  private Result ask(
      Realm realm,
      InetAddress client,
      Origin origin,
      BasicCredentials.Sent credentials,
      Known known,
      Optional<SessionToken> before,
      boolean anew) {
    long now = time.millis();
    // Another request may have asked the directory since the first look-up.
    Entry current = entries.getIfPresent(known.key);
    long nonce = random.nextLong();
    SessionToken token = digests.token(realm.name(), credentials, nonce);
    Optional<SessionId> continued = anew || current == null ? Optional.empty() : Optional.of(current.session());
    Attempt attempt = new Attempt(client, origin, token, before, continued);
    Outcome outcome = signOn.password(realm, attempt, credentials.name(), credentials.password());
    if (!(outcome instanceof Outcome.Open(var session, boolean fresh))) {
      entries.invalidate(known.key);
      return new Result(outcome, null);
    }
    long issuedNonce = fresh || current == null ? nonce : current.nonce();
    Entry entry = new Entry(realm, session.id(), issuedNonce, now);
    entries.put(known.key, entry);
    return new Result(outcome, entry);
  }

  private static Result await(CompletableFuture<Result> first) {
    try {
      return first.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
