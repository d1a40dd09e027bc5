package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.Optional;

/**
 * Redeems the codes of the console with the checks of the token endpoint (RFC 6749, section 4.1.3; RFC 7636, section 4.6; OpenID
 * Connect Core 3.1.3.7). No token leaves the process, and no authorization begins: the login lasts as long as the session in which
 * the person logged in.
 */
final class ConsoleLogins implements PersonLogins {

  private static final String AUTHORIZATION = "oauth/authorize";

  private final Realms realms;
  private final Codes codes;
  private final Authorizations authorizations;
  private final IdpSessions sessions;
  private final Directories directories;

  ConsoleLogins(Realms realms, Codes codes, Authorizations authorizations, IdpSessions sessions, Directories directories) {
    this.realms = realms;
    this.codes = codes;
    this.authorizations = authorizations;
    this.sessions = sessions;
    this.directories = directories;
  }

  @Override
  public Optional<Provider> provider(String realm) {
    return realms
        .find(realm)
        .flatMap(Realm::idp)
        .map(idp -> idp.entityId(realm))
        .map(issuer -> new Provider(issuer, issuer + "/" + AUTHORIZATION));
  }

  @Override
  public Result<PersonLogin, Refusal> redeem(String realm, EdgeRequest http, CodeRedemption sent) {
    Optional<RealmRequest> request = request(realm, http);
    if (request.isEmpty()) {
      return Result.refused(Refusal.NO_PROVIDER);
    }
    return switch (codes.take(sent.code())) {
      case TakeResult.Absent<IssuedCode>() -> Result.refused(Refusal.CODE_UNKNOWN);
      case TakeResult.Replayed<IssuedCode>(var takenAt) -> Result.refused(Refusal.CODE_REPLAYED);
      case TakeResult.First<IssuedCode>(var issued) -> check(realm, sent, issued).then(agreed -> login(request.get(), agreed));
    };
  }

  private static Result<Authorization, Refusal> check(String realm, CodeRedemption sent, IssuedCode issued) {
    Authorization agreed = issued.authorization();
    boolean own =
        agreed.realm().equals(realm)
            && agreed.clientId().equals(AdminLogin.CLIENT_ID)
            && issued.redirectUri().equals(Optional.of(sent.redirectUri()));
    if (!own) {
      return Result.refused(Refusal.CODE_OF_ANOTHER);
    }
    Result<Boolean, OAuthError> verified = CodeVerifierCheck.check(issued.codeChallenge(), Optional.of(sent.codeVerifier()), true);
    if (verified instanceof Result.Refused<Boolean, OAuthError>) {
      return Result.refused(Refusal.CODE_VERIFIER);
    }
    return agreed.grant().nonce().equals(Optional.of(sent.nonce())) ? Result.accepted(agreed) : Result.refused(Refusal.NONCE);
  }

  private Result<PersonLogin, Refusal> login(RealmRequest request, Authorization agreed) {
    return agreed
        .session()
        .filter(session -> authorizations.isInSession(agreed))
        .flatMap(
            session ->
                authorizations
                    .upToDate(request, agreed)
                    .map(Authorization::snapshot)
                    .map(
                        snapshot ->
                            new PersonLogin(
                                agreed.realm(), snapshot.person(), snapshot.details().name(), agreed.authn().time(), session)))
        .map(Result::<PersonLogin, Refusal>accepted)
        .orElseGet(() -> Result.refused(Refusal.PERSON_GONE));
  }

  @Override
  public Optional<Person> current(EdgeRequest http, PersonLogin login) {
    return request(login.realm(), http)
        .flatMap(
            request ->
                sessions
                    .use(request, login.session())
                    .filter(session -> session.person().equals(login.person()))
                    .flatMap(session -> sessions.upToDate(request, session)))
        .map(IdpSession::snapshot)
        .map(snapshot -> snapshot.details());
  }

  @Override
  public boolean isEnabled(String realm, PersonId person) {
    return realms
        .find(realm)
        .filter(known -> known.idp().isPresent())
        .flatMap(known -> directories.of(known).findEnabled(person))
        .isPresent();
  }

  @Override
  public Optional<Person> find(String realm, String nameOrId) {
    return realms.find(realm).filter(known -> known.idp().isPresent()).flatMap(known -> find(known, nameOrId));
  }

  private Optional<Person> find(Realm realm, String nameOrId) {
    Directory directory = directories.of(realm);
    Optional<Person> byId = directory.find(new PersonId(nameOrId));
    if (byId.isPresent()) {
      return byId;
    }
    String nameAttribute = realm.directory().orElseThrow().people().nameAttribute();
    return directory.findBy(nameAttribute, nameOrId) instanceof PersonSearch.One(Person byName) ? Optional.of(byName) : Optional.empty();
  }

  private Optional<RealmRequest> request(String realm, EdgeRequest http) {
    return realms.find(realm).flatMap(found -> found.idp().map(idp -> new RealmRequest(found, idp, http)));
  }
}
