package dev.gatehouse.sp.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.common.device.ProofRefusal;
import dev.gatehouse.common.device.TestDevice;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Registration and proofs of keys, and the ways to get past them. */
final class DeviceEndpointsTest {

  private static final Origin HOME = new Origin("https", "app.example.org", 443);

  private final TestTime time = new TestTime();
  private final Realm demo = TestRealms.demo();
  private final SpRealm realm = SpRealm.of(demo).orElseThrow();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Stores stores = new MemoryStores(time);
  private final SealingKey sealing = SealingKey.inMemory(new Random(1));
  private final BoundCookies cookies = new BoundCookies(sealing);
  private final AppSessions sessions = new AppSessions(stores, new FixedRealms(demo), audit, time);
  private final DeviceChallenges challenges = new DeviceChallenges(sealing, stores, time, new Random(2));
  private final DeviceEndpoints endpoints =
      new DeviceEndpoints(
          sessions, new DeviceProofs(challenges), challenges, cookies,
          new Refusals(
              new ThymeleafPages(),
              new RefusalLog(audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), new Random(4))),
          audit, time);

  private final Random random = new Random(3);
  private final TestDevice laptop = new TestDevice();
  private final SessionToken token = opened();

  private SessionToken opened() {
    SessionToken fresh = SessionToken.create(random);
    Lifetime lifetime = new Lifetime(time.instant(), time.instant().plus(Duration.ofHours(1)), time.instant().plus(Duration.ofHours(8)));
    sessions.open(
        new AppSession(
            fresh.id(), "demo", lifetime,
            new LocalAccount(AppSession.personId(TestRealms.IDP_ENTITY, "alice"), "alice", List.of(), List.of(), Map.of()),
            new AppSession.Login(
                TestRealms.IDP_ENTITY, NameId.of("alice", NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), time.instant()),
            new SessionDevice(
                Optional.of(Fingerprint.of(Headers.empty(), 0)), List.of(DeviceBinding.begin(fresh.id(), time.instant())))));
    return fresh;
  }

  @Test
  void aRegisteredKeyIsProvedWithAChallengeAndEachProofBringsACookieOfFiveMinutes() {
    assertThat(register(token, laptop).status()).isEqualTo(200);

    EdgeReply challenged = refresh(Optional.of(token), token.id(), Optional.empty());
    assertThat(challenged.status()).isEqualTo(403);

    EdgeReply proved = refresh(Optional.of(token), token.id(), Optional.of(laptop.proof(challenge(challenged))));
    assertThat(proved.status()).isEqualTo(200);
    String cookie = cookie(proved);
    assertThat(lives(token.id(), cookie)).isTrue();
    time.advance(BoundCookies.LIFE);
    assertThat(lives(token.id(), cookie)).isFalse();
    assertThat(audit.events()).filteredOn(AuditEvent.DeviceBound.class::isInstance).hasSize(1);
  }

  /** Browsers leave the session's cookie out where another site caused the request. */
  @Test
  void theChallengeStandsForTheCookieAtTheRegistrationAndTheNameOfTheSessionAtTheRefresh() {
    String challenge = challenges.issue("demo", token.id());
    assertThat(endpoints.register(realm, request(DeviceEndpoints.REGISTRATION, Optional.empty(), proof(laptop.registration(challenge)))).status())
        .isEqualTo(200);

    EdgeReply challenged = refresh(Optional.empty(), token.id(), Optional.empty());
    assertThat(refresh(Optional.empty(), token.id(), Optional.of(laptop.proof(challenge(challenged)))).status()).isEqualTo(200);
  }

  @Test
  void aProofCountsOnce() {
    register(token, laptop);
    String proof = laptop.proof(challenges.issue("demo", token.id()));
    assertThat(refresh(Optional.of(token), token.id(), Optional.of(proof)).status()).isEqualTo(200);

    assertRefused(refresh(Optional.of(token), token.id(), Optional.of(proof)), ProofRefusal.CHALLENGE_REPLAYED);
  }

  /** Its challenge is not stored: the token takes one key of a browser, whoever repeats the request. */
  @Test
  void aRegistrationCountsOnce() throws Exception {
    String registration = laptop.registration(challenges.issue("demo", token.id()));
    List<Callable<Integer>> copies =
        Collections.nCopies(
            16, () -> endpoints.register(realm, request(DeviceEndpoints.REGISTRATION, Optional.of(token), proof(registration))).status());
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> done : threads.invokeAll(copies)) {
        statuses.add(done.get());
      }
    }
    assertThat(statuses).filteredOn(status -> status == 200).hasSize(1);
    assertThat(statuses).filteredOn(status -> status == 400).hasSize(15);
    assertRefused(
        endpoints.refresh(realm, request(DeviceEndpoints.REFRESH, Optional.of(token), proof(registration))), ProofRefusal.UNREADABLE);
  }

  @Test
  void aChallengeCountsOnceWhateverIsSigned() {
    register(token, laptop);
    String challenge = challenges.issue("demo", token.id());
    refresh(Optional.of(token), token.id(), Optional.of(laptop.proof(challenge)));

    JWTClaimsSet other = new JWTClaimsSet.Builder().jwtID(challenge).claim("other", "value").build();
    assertRefused(
        refresh(Optional.of(token), token.id(), Optional.of(laptop.proof("dbsc+jwt", other))), ProofRefusal.CHALLENGE_REPLAYED);
  }

  @Test
  void theKeyOfAnotherSessionProvesNothing() {
    SessionToken thiefs = opened();
    TestDevice thief = new TestDevice();
    register(token, laptop);
    register(thiefs, thief);

    String challenge = challenges.issue("demo", token.id());
    assertRefused(refresh(Optional.of(token), token.id(), Optional.of(thief.proof(challenge))), ProofRefusal.NOT_SIGNED_BY_KEY);
    assertRefused(
        refresh(Optional.of(token), token.id(), Optional.of(laptop.proof(challenges.issue("demo", thiefs.id())))),
        ProofRefusal.FOREIGN_CHALLENGE);
    assertRefused(
        refresh(Optional.of(token), thiefs.id(), Optional.of(thief.proof(challenges.issue("demo", thiefs.id())))),
        ProofRefusal.OTHER_ADDRESSEE);
    String own = cookie(refresh(Optional.of(thiefs), thiefs.id(), Optional.of(thief.proof(challenges.issue("demo", thiefs.id())))));
    assertThat(lives(thiefs.id(), own)).isTrue();
    assertThat(lives(token.id(), own)).as("with the cookie of the other session").isFalse();
  }

  @Test
  void aBoundSessionTakesNoOtherKeyAndIsNeverUnboundAgain() {
    register(token, laptop);
    assertRefused(register(token, new TestDevice()), ProofRefusal.ALREADY_BOUND);
    assertThat(endpoints.key(realm, request(DeviceEndpoints.KEY, Optional.of(token), List.of())).status())
        .as("the cookie may be under way")
        .isEqualTo(409);
    time.advance(Duration.ofSeconds(10));
    EdgeReply byPage =
        endpoints.key(
            realm, request(DeviceEndpoints.KEY, Optional.of(token), proof(new TestDevice().registration(challenges.issue("demo", token.id())))));
    assertRefused(byPage, ProofRefusal.NOT_BOUND);

    AppSession session = sessions.look("demo", token.id()).orElseThrow();
    Optional<DeviceBinding> stale = Optional.of(DeviceBinding.begin(token.id(), time.instant()));
    assertThat(sessions.bind(session.id(), stale, new DeviceBinding(token.id(), time.instant(), new DeviceBinding.State.Keyless()))).isEmpty();
    assertThat(sessions.look("demo", token.id()).orElseThrow().device().binding(token.id()).orElseThrow().isBound()).isTrue();
  }

  @Test
  void aKeyThatTheSenderDoesNotHoldIsNotRegistered() {
    String stolen = new TestDevice().registrationOf(laptop, challenges.issue("demo", token.id()));
    assertRefused(
        endpoints.register(realm, request(DeviceEndpoints.REGISTRATION, Optional.of(token), proof(stolen))), ProofRefusal.NOT_SIGNED_BY_KEY);
  }

  @Test
  void anOldChallengeAndAnInventedOneAreRefused() {
    register(token, laptop);
    String old = challenges.issue("demo", token.id());
    time.advance(Duration.ofMinutes(2));
    assertRefused(refresh(Optional.of(token), token.id(), Optional.of(laptop.proof(old))), ProofRefusal.CHALLENGE_EXPIRED);
    for (String invented : List.of("", "1.2.3", "a.b.c.d", old + "0", old.replaceFirst("^\\d+", "99999999999"), "9".repeat(500))) {
      assertRefused(refresh(Optional.of(token), token.id(), Optional.of(laptop.proof(invented))), ProofRefusal.FOREIGN_CHALLENGE);
    }
  }

  @Test
  void aProofForAnotherAddressOrOfAnotherTypeIsRefused() {
    register(token, laptop);
    JWTClaimsSet elsewhere = new JWTClaimsSet.Builder().jwtID(challenges.issue("demo", token.id())).audience("https://evil.example/").build();
    assertRefused(
        refresh(Optional.of(token), token.id(), Optional.of(laptop.proof("dbsc+jwt", elsewhere))), ProofRefusal.OTHER_ADDRESSEE);
    JWTClaimsSet claims = new JWTClaimsSet.Builder().jwtID(challenges.issue("demo", token.id())).build();
    assertRefused(refresh(Optional.of(token), token.id(), Optional.of(laptop.proof("dpop+jwt", claims))), ProofRefusal.OTHER_TYPE);
    assertRefused(refresh(Optional.of(token), token.id(), Optional.of("no JWT")), ProofRefusal.UNREADABLE);
  }

  @Test
  void aCookieIsOfOneRealmTokenAndKeyAndNotOfTheFuture() {
    String cookie = cookies.issue("demo", token.id(), "key", time.instant());
    assertThat(cookies.end("demo", token.id(), "key", cookie, time.instant())).isPresent();
    assertThat(cookies.end("other", token.id(), "key", cookie, time.instant())).isEmpty();
    assertThat(cookies.end("demo", new SessionId("other"), "key", cookie, time.instant())).isEmpty();
    assertThat(cookies.end("demo", token.id(), "other", cookie, time.instant())).isEmpty();
    assertThat(cookies.end("demo", token.id(), "key", cookie.replaceFirst("^\\d", "3"), time.instant())).isEmpty();
    assertThat(cookies.end("demo", token.id(), "key", cookie, time.instant().minus(Duration.ofMinutes(2))))
        .as("of a node whose clock is two minutes ahead").isEmpty();
    for (String broken : List.of("", ".", "1", "1.", "x.y", "99999999999999999999.a")) {
      assertThat(cookies.end("demo", token.id(), "key", broken, time.instant())).isEmpty();
    }
  }

  /** Who sends many wrong proofs does not fill the audit log. */
  @Test
  void refusalsOfASessionAreWrittenOnce() {
    for (int i = 0; i < 20; i++) {
      refresh(Optional.of(token), token.id(), Optional.of("no JWT"));
    }
    assertThat(audit.events()).filteredOn(AuditEvent.DeviceDiffers.class::isInstance).hasSize(1);
  }

  private EdgeReply register(SessionToken of, TestDevice device) {
    String challenge = challenges.issue("demo", of.id());
    return endpoints.register(
        realm, request(DeviceEndpoints.REGISTRATION, Optional.of(of), proof(device.registration(challenge))));
  }

  private EdgeReply refresh(Optional<SessionToken> cookie, SessionId named, Optional<String> proof) {
    List<Headers.Field> fields = new ArrayList<>();
    fields.add(new Headers.Field("Sec-Secure-Session-Id", named.value()));
    proof.ifPresent(jwt -> fields.addAll(proof(jwt)));
    return endpoints.refresh(realm, request(DeviceEndpoints.REFRESH, cookie, fields));
  }

  private static List<Headers.Field> proof(String jwt) {
    return List.of(new Headers.Field("Secure-Session-Response", jwt));
  }

  private static EdgeRequest request(String path, Optional<SessionToken> cookie, List<Headers.Field> fields) {
    List<Headers.Field> all = new ArrayList<>(fields);
    cookie.ifPresent(own -> all.add(new Headers.Field("Cookie", "__Host-gh_app=" + own.value())));
    return new EdgeRequest("POST", HOME, path, "", Headers.of(all), new byte[0], InetAddress.getLoopbackAddress());
  }

  private boolean lives(SessionId of, String value) {
    DeviceBinding binding = sessions.look("demo", of).orElseThrow().device().binding(of).orElseThrow();
    return binding.state() instanceof DeviceBinding.State.Bound bound
        && cookies.end("demo", of, bound.thumbprint(), value, time.instant()).isPresent();
  }

  private static String challenge(EdgeReply reply) {
    return reply.headers().first("Secure-Session-Challenge").orElseThrow().split("\"", -1)[1];
  }

  private static String cookie(EdgeReply reply) {
    return reply.headers().first("Set-Cookie").orElseThrow().replaceFirst("^[^=]+=", "").split(";", 2)[0];
  }

  private static void assertRefused(EdgeReply reply, ProofRefusal refusal) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text()).contains(refusal.word());
    assertThat(reply.headers().first("Set-Cookie")).isEmpty();
  }
}
