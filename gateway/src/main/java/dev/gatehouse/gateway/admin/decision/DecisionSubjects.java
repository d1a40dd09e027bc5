package dev.gatehouse.gateway.admin.decision;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionPerson;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionRequest;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The subject of a decision question: described in the question, taken from a session, or looked up in the directory.
 */
final class DecisionSubjects {

  private final Realms realms;
  private final Optional<AppSessions> sessions;
  private final Optional<Directories> directories;
  private final InstantSource time;

  DecisionSubjects(
      Realms realms, Optional<AppSessions> sessions, Optional<Directories> directories, InstantSource time) {
    this.realms = realms;
    this.sessions = sessions;
    this.directories = directories;
    this.time = time;
  }

  /** The session to decide about; empty for an anonymous request. */
  Optional<AppSession> session(Realm realm, DecisionRequest request) {
    int ways = (request.person().isPresent() ? 1 : 0) + (request.session().isPresent() ? 1 : 0) + (request.name().isPresent() ? 1 : 0);
    if (ways > 1) {
      throw new BadRequest("Write one of person, session and name.");
    }
    if (request.session().isPresent()) {
      return Optional.of(
          sessions
              .flatMap(all -> all.load(realm.name(), new SessionId(request.session().get())))
              .orElseThrow(() -> new NotFound("There is no such session.")));
    }
    return request.name()
        .map(name -> described(realm, inDirectory(realm, name, request)))
        .or(() -> request.person().map(p -> described(realm, p)));
  }

  /** The same person as the holder of an access token with the scopes of the question. */
  Subject holder(AppSession session, DecisionRequest request) {
    Set<String> scopes = request.person().flatMap(DecisionPerson::scopes).map(Set::copyOf).orElse(Set.of());
    LocalAccount account = session.account();
    return new Subject.Holder(
        new TokenHolder(
            session.login().identityProvider(), account.user(), Optional.empty(),
            new TokenHolder.Account(account.user(), account.roles(), account.groups(), account.attributes()), scopes,
            session.login().authnContextClassRef(), Optional.empty(), time.instant().plus(Duration.ofHours(1))));
  }

  private DecisionPerson inDirectory(Realm realm, String name, DecisionRequest request) {
    if (realm.directory().isEmpty() || directories.isEmpty()) {
      throw new BadRequest("The realm " + realm.name() + " has no directory: describe the person.");
    }
    if (!realms.find(realm.name()).flatMap(Realm::directory).equals(realm.directory())) {
      // A proposed configuration must not open a connection, nor send the node's passwords to another directory.
      throw new BadRequest("The proposed configuration has another directory than serves: describe the person.");
    }
    Directories all = directories.get();
    Person person =
        all.of(realm)
            .find(all.meant(realm, name))
            .orElseThrow(() -> new NotFound("The directory knows nobody called " + name + "."));
    return new DecisionPerson(
        person.name(), Optional.of(List.copyOf(person.roles())), Optional.of(person.groups()), Optional.of(person.attributes()),
        Optional.empty(), request.authnContext(), Optional.empty());
  }

  private AppSession described(Realm realm, DecisionPerson subject) {
    Instant now = time.instant();
    // Jackson passes null for a missing property.
    if (!(subject.user() instanceof String)) {
      throw new BadRequest("`person.user` is missing.");
    }
    String provider = subject.provider().orElseGet(() -> usualProvider(realm));
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    subject.attributes().ifPresent(given -> given.forEach((name, values) -> attributes.put(AttributeName.plain(name), values)));
    return new AppSession(
        new SessionId("-"), realm.name(),
        new Lifetime(now, now.plus(Duration.ofHours(1)), now.plus(Duration.ofHours(1))),
        new LocalAccount(
            AppSession.personId(provider, subject.user()),
            subject.user(),
            subject.roles().orElse(List.of()),
            subject.groups().orElse(List.of()),
            Map.copyOf(attributes)),
        new AppSession.Login(provider, NameId.of(subject.user(), NameId.UNSPECIFIED), Optional.empty(), subject.authnContext(), now));
  }

  private static String usualProvider(Realm realm) {
    return realm.sp().map(SpConfig::identityProviders).filter(all -> !all.isEmpty()).map(List::getFirst)
        .or(() -> realm.idp().map((IdpConfig idp) -> idp.entityId(realm.name())))
        .orElse("-");
  }
}
