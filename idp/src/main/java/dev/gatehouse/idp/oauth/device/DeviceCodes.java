package dev.gatehouse.idp.oauth.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.QuotaAccount.Admission;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.token.DeviceCodeGrant;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Device codes and user codes, stored durably. There are three stores of values that are taken once, so that no value
 * is ever changed: the request by its device code, the right to answer it by its user code, and the answer until the
 * device fetches it. Of several browsers one can answer; of parallel polls one gets the answer.
 */
public final class DeviceCodes implements DeviceCodeGrant.Pending {

  /**
   * RFC 8628, section 3.2: the shortest time between two polls; a device that polls too fast must wait longer (3.5).
   */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The time for which a device that polls too late still gets the error that the code has expired. */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private static final int TRIES = 10;
  private static final int MAX_POLLING = 100_000;

  /** The codes for the device. */
  record Issued(String deviceCode, UserCode userCode) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /**
   * A request that a person may answer.
   *
   * @param key identifies it here
   */
  record Found(String key, DeviceRequest request) {}

  /** The time of a device's last poll, and the interval that it must observe. */
  record Poll(Instant at, Duration interval) {
    /** Another node's clock may be ahead of this one's: a poll of the future says nothing about the time since. */
    private boolean isTooRecent(Instant now) {
      return !at.isAfter(now) && now.isBefore(at.plus(interval));
    }

    private static Poll after(Optional<Poll> before, Instant now) {
      Duration interval = before.map(Poll::interval).orElse(INTERVAL);
      return new Poll(now, before.filter(poll -> poll.isTooRecent(now)).isPresent() ? interval.plus(INTERVAL) : interval);
    }
  }

  private final SingleUseStore<DeviceRequest> requests;
  private final SingleUseStore<String> userCodes;
  private final SingleUseStore<DeviceAnswer> answers;
  private final PendingQuota quota;
  private final InstantSource clock;
  private final RandomGenerator random;

  /** For all nodes, if there are several. */
  private final Optional<SingleUseStore<Poll>> sharedPolls;

  /** Only in memory of one node: after a restart a device could poll a few times too often, which does no harm. */
  private final Cache<String, Poll> polls = Caffeine.newBuilder().maximumSize(MAX_POLLING).executor(Runnable::run).build();

  public DeviceCodes(Stores stores, PendingQuota quota, InstantSource clock, RandomGenerator random) {
    this.requests = stores.singleUse("oauth-device-requests", new JsonCodec<>(DeviceRequest.class));
    this.userCodes = stores.singleUse("oauth-device-user-codes", new JsonCodec<>(String.class));
    this.answers = stores.singleUse("oauth-device-answers", new DeviceAnswer.Codec());
    this.sharedPolls = stores.singleUseIfShared("oauth-device-polls", new JsonCodec<>(Poll.class));
    this.quota = quota;
    this.clock = clock;
    this.random = random;
  }

  /** The result for a device. */
  sealed interface Issuing {
    record Done(Issued issued) implements Issuing {}

    /** Too many requests are waiting. */
    record Full(Duration retryAfter) implements Issuing {}
  }

  Issuing issue(RealmRequest request, AuthenticatedClient client, Set<String> scopes, List<String> resources) {
    SessionToken deviceCode = SessionToken.create(random);
    String key = deviceCode.id().value();
    Instant end = clock.instant().plus(request.idp().oauth().deviceCodeLife());
    int bytes = Stream.concat(scopes.stream(), resources.stream()).mapToInt(String::length).sum();
    return switch (quota.admit(key, client.holder(request), bytes, end)) {
      case Admission.Full(List<String> displaced, Duration retryAfter) -> {
        displaced.forEach(this::drop);
        yield new Issuing.Full(retryAfter);
      }
      case Admission.Admitted(List<String> displaced) -> {
        displaced.forEach(this::drop);
        UserCode userCode = free(request);
        requests.put(
            key,
            new DeviceRequest(
                request.realm().name(), client.client().id(), scopes, resources, userCode.letters(), end),
            end.plus(REMEMBERED));
        userCodes.put(userCodeKey(request.realm().name(), userCode), key, end);
        yield new Issuing.Done(new Issued(deviceCode.value(), userCode));
      }
    };
  }

  private void drop(String key) {
    if (requests.take(key) instanceof TakeResult.First<DeviceRequest>(DeviceRequest request)) {
      userCodes.take(userCodeKey(request.realm(), new UserCode(request.userCode())));
    }
  }

  /**
   * Nearly always the first code is free. If two equal codes are created at the same instant, the store refuses the
   * second.
   */
  private UserCode free(RealmRequest request) {
    for (int tries = 0; tries < TRIES; tries++) {
      UserCode code = UserCode.create(random);
      if (userCodes.peek(userCodeKey(request.realm().name(), code)).isEmpty()) {
        return code;
      }
    }
    throw new IllegalStateException("no user code is free");
  }

  /** The request that waits for a person under this user code. */
  Optional<Found> find(RealmRequest request, UserCode userCode) {
    return userCodes.peek(userCodeKey(request.realm().name(), userCode)).flatMap(this::find);
  }

  /** The request under this key, if it was not answered yet. */
  Optional<Found> find(String key) {
    return requests
        .peek(key)
        .filter(request -> clock.instant().isBefore(request.expiresAt()))
        .filter(request -> userCodes.peek(userCodeKey(request.realm(), new UserCode(request.userCode()))).isPresent())
        .map(request -> new Found(key, request));
  }

  /**
   * Stores the person's answer. Returns false if it was answered before, or if it is too late; the answer is not made
   * then.
   */
  boolean answer(Found found, Supplier<DeviceAnswer> answer) {
    DeviceRequest request = found.request();
    boolean isFirst =
        userCodes.take(userCodeKey(request.realm(), new UserCode(request.userCode()))) instanceof TakeResult.First;
    if (isFirst) {
      answers.put(found.key(), answer.get(), request.expiresAt());
    }
    return isFirst;
  }

  @Override
  public Result<Authorization, OAuthError> take(RealmRequest request, Client client, String deviceCode) {
    Optional<String> key = SessionToken.parse(deviceCode).map(token -> token.id().value());
    Optional<DeviceRequest> asked =
        key.flatMap(requests::peek)
            .filter(found -> found.realm().equals(request.realm().name()) && found.clientId().equals(client.id()));
    if (asked.isEmpty()) {
      return OAuthError.refused(Code.INVALID_GRANT, "The device code is unknown, was used, or is another client's");
    }
    if (!clock.instant().isBefore(asked.get().expiresAt())) {
      return OAuthError.refused(Code.EXPIRED_TOKEN, "The device code has expired");
    }
    return isTooQuick(key.get(), asked.get().expiresAt())
        ? OAuthError.refused(Code.SLOW_DOWN, "Wait five seconds longer between two requests")
        : answered(key.get());
  }

  private Result<Authorization, OAuthError> answered(String key) {
    return switch (answers.take(key)) {
      case TakeResult.Absent<DeviceAnswer> none ->
          OAuthError.refused(Code.AUTHORIZATION_PENDING, "The person has not answered yet");
      case TakeResult.Replayed<DeviceAnswer> replayed -> OAuthError.refused(Code.INVALID_GRANT, "The device code was used");
      case TakeResult.First<DeviceAnswer>(var answer) -> {
        requests.take(key);
        quota.release(key);
        polls.invalidate(key);
        yield answer
            .agreed()
            .<Result<Authorization, OAuthError>>map(Result::accepted)
            .orElseGet(() -> OAuthError.refused(Code.ACCESS_DENIED, "The person did not agree"));
      }
    };
  }

  private boolean isTooQuick(String key, Instant expiresAt) {
    Instant now = clock.instant();
    boolean[] tooQuick = new boolean[1];
    Function<Optional<Poll>, Poll> next =
        before -> {
          tooQuick[0] = before.filter(poll -> poll.isTooRecent(now)).isPresent();
          return Poll.after(before, now);
        };
    sharedPolls.ifPresentOrElse(
        store -> store.updateLater(key, next, expiresAt),
        () -> polls.asMap().compute(key, (k, before) -> next.apply(Optional.ofNullable(before))));
    return tooQuick[0];
  }

  private static String userCodeKey(String realm, UserCode code) {
    return realm + "\n" + code.letters();
  }
}
