package dev.gatehouse.sp.local;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.certificate.CertificateCheck;
import dev.gatehouse.common.certificate.CertificateNames;
import dev.gatehouse.common.certificate.CertificateRefusals;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.LocalLogin;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Opens sessions for people in the realm's directory. Each session gets a new token, created after the login, and the
 * browser's previous session ends: nobody continues in a session that an attacker has prepared for them.
 */
public final class DirectorySignOn implements LocalSignOn {

  private static final String CLASSES = "urn:oasis:names:tc:SAML:2.0:ac:classes:";

  /** The number of attempts if passwords change during the login; after that it is an error. */
  private static final int MAX_TRIES = 3;

  private final LocalLogin login;
  private final Directories directories;
  private final AppSessions sessions;
  private final PasswordChanges changes;
  private final AuditLog audit;
  private final CertificateRefusals records;
  private final InstantSource time;

  public DirectorySignOn(
      LocalLogin login,
      Directories directories,
      AppSessions sessions,
      PasswordChanges changes,
      AuditLog audit,
      RefusalLog refusals,
      InstantSource time) {
    this.login = login;
    this.directories = directories;
    this.sessions = sessions;
    this.changes = changes;
    this.audit = audit;
    this.records = new CertificateRefusals(audit, refusals);
    this.time = time;
    changes.listen((realm, person) -> sessions.endLocal(realm, person, "password changed"));
  }

  @Override
  public Outcome password(Realm realm, Attempt attempt, String name, byte[] password) {
    SpRealm sp = SpRealm.of(realm).orElseThrow();
    try {
      return settled(sp, attempt, name, password);
    } catch (DirectoryUnavailable e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private Outcome settled(SpRealm sp, Attempt attempt, String name, byte[] password) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      long before = changes.count();
      Outcome outcome = once(sp, attempt, name, password);
      if (changes.count() == before || !(outcome instanceof Outcome.Open(AppSession session, boolean fresh))) {
        return outcome;
      }
      // A password was changed during the login, and the code that ended the person's sessions may not have seen this
      // one.
      if (fresh) {
        sessions.end(session.id(), "replaced", AuditEvent.Context.of(sp.name(), attempt.client()));
      }
    }
    throw new IllegalStateException("passwords change faster than anybody can log in");
  }

  @Override
  public Outcome certificate(Realm realm, Attempt attempt, List<X509Certificate> chain) {
    SpRealm sp = SpRealm.of(realm).orElseThrow();
    Optional<CertificateLogin> config = realm.idp().flatMap(idp -> idp.contracts().certificate());
    if (config.isEmpty()) {
      return new Outcome.CertificateRefused("CERTIFICATE_LOGIN_OFF");
    }
    Optional<CertificateCheck.Refusal> refusal = CertificateCheck.check(config.get(), chain, time.instant());
    if (refusal.isPresent()) {
      return refused(sp, attempt, chain.getFirst(), refusal.get().isOfIssued(), refusal.get().name());
    }
    Optional<String> name = CertificateNames.of(chain.getFirst(), config.get().field());
    if (name.isEmpty()) {
      return refused(sp, attempt, chain.getFirst(), true, "CERTIFICATE_WITHOUT_NAME");
    }
    try {
      return switch (directories.of(realm).findEnabled(config.get().attribute(), name.get())) {
        case PersonSearch.None() -> refused(sp, attempt, chain.getFirst(), true, "UNKNOWN_NAME");
        case PersonSearch.Several() -> refused(sp, attempt, chain.getFirst(), true, "AMBIGUOUS_NAME");
        case PersonSearch.One(var person) ->
            open(sp, attempt, LocalAccount.of(person), "certificate", CLASSES + "TLSClient");
      };
    } catch (DirectoryUnavailable e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private Outcome refused(SpRealm realm, Attempt attempt, X509Certificate certificate, boolean isIssued, String reason) {
    records.record(AuditEvent.Context.of(realm.name(), attempt.client()), attempt.client(), certificate, isIssued, reason);
    return new Outcome.CertificateRefused(reason);
  }

  /**
   * Exactly these credentials were correct before: repeating them is not a guess, and guesses by strangers do not delay
   * them.
   */
  private static GuessSource guessSource(Attempt attempt) {
    return attempt
        .kept()
        .<GuessSource>map(session -> new GuessSource.KnownDevice("basic " + session.value()))
        .orElseGet(() -> new GuessSource.Stranger(attempt.client()));
  }

  private Outcome once(SpRealm realm, Attempt attempt, String name, byte[] password) {
    return switch (login.prove(new LocalLogin.Attempt(realm, "basic", attempt.client(), guessSource(attempt), name), password)) {
      case LocalLogin.Outcome.Proved(LocalAccount account) -> {
        Origin origin = attempt.origin();
        boolean guarded = origin.isSecure() || Loopback.isName(origin.host());
        yield open(realm, attempt, account, "basic", CLASSES + (guarded ? "PasswordProtectedTransport" : "Password"));
      }
      case LocalLogin.Outcome.Refused refused -> new Outcome.Refused(Reason.CREDENTIALS_REFUSED);
      case LocalLogin.Outcome.MustChange must -> new Outcome.Refused(Reason.PASSWORD_MUST_CHANGE);
      case LocalLogin.Outcome.SecondFactorNeeded needed -> new Outcome.Refused(Reason.SECOND_FACTOR_NEEDED);
      case LocalLogin.Outcome.Throttled(var retryAfter) -> new Outcome.Throttled(retryAfter);
    };
  }

  private Outcome open(SpRealm realm, Attempt attempt, LocalAccount account, String contract, String authnContext) {
    AppSession fresh = session(realm, attempt, account, authnContext);
    Optional<AppSession> kept =
        attempt.kept().flatMap(id -> sessions.load(realm.name(), id)).filter(old -> isSame(old, fresh));
    if (kept.isPresent()) {
      return new Outcome.Open(kept.get(), false);
    }
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), attempt.client());
    audit.record(
        new AuditEvent.LoginSucceeded(context, fresh.person().value(), fresh.account().user(), contract, fresh.id().value()));
    attempt.kept().ifPresent(old -> sessions.end(old, "replaced", context));
    attempt
        .before()
        .flatMap(token -> sessions.load(realm.name(), token))
        .ifPresent(old -> sessions.end(old.id(), "replaced", context));
    sessions.open(fresh);
    return new Outcome.Open(fresh, true);
  }

  private AppSession session(SpRealm realm, Attempt attempt, LocalAccount account, String authnContext) {
    Instant now = time.instant();
    AppSession.Login login =
        new AppSession.Login(
            realm.sp().entityId(),
            NameId.of(account.user(), NameId.UNSPECIFIED),
            Optional.empty(),
            Optional.of(authnContext),
            now);
    return new AppSession(
        attempt.token().id(),
        realm.name(),
        Lifetime.beginning(now, realm.sp().session()),
        account,
        login);
  }

  private static boolean isSame(AppSession a, AppSession b) {
    return a.account().equals(b.account())
        && a.login().identityProvider().equals(b.login().identityProvider())
        && a.login().authnContextClassRef().equals(b.login().authnContextClassRef());
  }
}
