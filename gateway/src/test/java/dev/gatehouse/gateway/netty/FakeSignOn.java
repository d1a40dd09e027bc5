package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A directory of passwords, which remembers what it was asked. */
final class FakeSignOn implements LocalSignOn {

  /** Names that are special whatever the password is. */
  static final String MUST_CHANGE = "must-change";

  static final String SECOND_FACTOR = "second-factor";
  static final String THROTTLED = "throttled";
  static final String BROKEN = "broken";
  static final String UNAVAILABLE = "unavailable";

  private final FakeSessions sessions;
  private final InstantSource time;
  private final Map<String, String> passwords = new ConcurrentHashMap<>(Map.of("alice", "demo", "jörg", "pässwörd"));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Attempt> attempts = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  FakeSignOn(FakeSessions sessions, InstantSource time) {
    this.sessions = sessions;
    this.time = time;
  }

  /** The names that somebody asked for, each as often as that. */
  List<String> asked() {
    return asked;
  }

  List<Attempt> attempts() {
    return attempts;
  }

  void password(String name, String password) {
    passwords.put(name, password);
  }

  /** Nobody gets an answer until it opens. */
  void hold(CountDownLatch until) {
    gate = until;
  }

  @Override
  public Outcome password(Realm realm, Attempt attempt, String name, byte[] password) {
    if (!Thread.currentThread().isVirtual()) {
      throw new AssertionError("the directory blocks");
    }
    asked.add(name);
    attempts.add(attempt);
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return switch (name) {
      case MUST_CHANGE -> new Outcome.Refused(Reason.PASSWORD_MUST_CHANGE);
      case SECOND_FACTOR -> new Outcome.Refused(Reason.SECOND_FACTOR_NEEDED);
      case THROTTLED -> new Outcome.Throttled(Duration.ofSeconds(90));
      case UNAVAILABLE -> new Outcome.Unavailable("the test says so");
      case BROKEN -> throw new IllegalStateException("the test broke the directory");
      case String known when new String(password, StandardCharsets.UTF_8).equals(passwords.get(known)) ->
          open(realm, attempt, known);
      case String other -> new Outcome.Refused(Reason.CREDENTIALS_REFUSED);
    };
  }

  /** Whoever has a CN that it knows may come. */
  @Override
  public Outcome certificate(Realm realm, Attempt attempt, List<X509Certificate> chain) {
    String name = chain.getFirst().getSubjectX500Principal().getName().replaceFirst("^CN=", "");
    asked.add("certificate of " + name);
    return passwords.containsKey(name)
        ? open(realm, attempt, name)
        : new Outcome.CertificateRefused("UNKNOWN_NAME");
  }

  private Outcome open(Realm realm, Attempt attempt, String name) {
    Optional<AppSession> kept = attempt.kept().flatMap(id -> sessions.load(realm.name(), id));
    if (kept.isPresent()) {
      return new Outcome.Open(kept.get(), false);
    }
    attempt.before().ifPresent(token -> sessions.end(token.id()));
    AppSession session =
        new AppSession(
            attempt.token().id(), realm.name(), new Lifetime(time.instant(), Instant.MAX, Instant.MAX),
            new LocalAccount(
                new PersonId("id-" + name),
                name,
                List.of("manager"),
                List.of("staff"),
                Map.of("mail", List.of(name + "@example.org"))),
            new AppSession.Login(
                realm.sp().orElseThrow().entityId(),
                NameId.of(name, NameId.UNSPECIFIED),
                Optional.empty(),
                Optional.empty(),
                time.instant()));
    sessions.open(session);
    return new Outcome.Open(session, true);
  }
}
