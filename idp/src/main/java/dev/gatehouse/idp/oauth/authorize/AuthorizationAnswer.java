package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.consent.ConsentDecision;
import dev.gatehouse.idp.consent.ConsentEndpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oidc.SessionStates;
import dev.gatehouse.idp.oidc.Subjects;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.StateCookie;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers an accepted authorization request: with the requested values if session and consent allow it, with a page if
 * a person must do something first. Each time everything is decided anew; only the request is stored.
 */
final class AuthorizationAnswer {

  private final IdpSessions sessions;
  private final Subjects subjects;
  private final ClientConsents consents;
  private final AuthorizationPendingLogin waiting;
  private final AuthorizationIssue issue;
  private final SessionStates states;
  private final AuthorizationReply reply;
  private final Refusals refusals;

  AuthorizationAnswer(
      IdpSessions sessions,
      Subjects subjects,
      ClientConsents consents,
      AuthorizationPendingLogin waiting,
      AuthorizationIssue issue,
      SessionStates states,
      AuthorizationReply reply,
      Refusals refusals) {
    this.sessions = sessions;
    this.subjects = subjects;
    this.consents = consents;
    this.waiting = waiting;
    this.issue = issue;
    this.states = states;
    this.reply = reply;
    this.refusals = refusals;
  }

  /** @param key the key under which it already waits; empty if it has just arrived */
  EdgeReply answer(RealmRequest request, AuthorizationRequest asked, Client client, Optional<String> key) {
    if (!RedirectUris.lists(client, asked.reply().redirectUri())) {
      return refusals.client(
          request, client.id(), "authorization request", "REDIRECT_URI_UNKNOWN", "no longer the client's");
    }
    Optional<OAuthError> notAnyMore = RequestRules.mayUse(client, asked.types());
    if (notAnyMore.isPresent()) {
      return error(request, asked, key, notAnyMore.get());
    }
    // If a new login is required, an existing session does not count, even if its login was just now.
    Optional<IdpSession> session =
        asked.authentication().login() && key.isEmpty()
            ? Optional.empty()
            : sessions.current(request).flatMap(present -> sessions.upToDate(request, present));
    return switch (AuthnDecisions.of(request, RequestedLogin.of(request, asked, client, session), session)) {
      case AuthnDecision.Satisfied login -> about(request, asked, client, key, session.orElseThrow(), login);
      case AuthnDecision.StepUp stepUp -> login(request, asked, client, key);
      case AuthnDecision.Login login -> login(request, asked, client, key);
      case AuthnDecision.Never never ->
          error(
              request,
              asked,
              key,
              OAuthError.of(Code.UNMET_AUTHENTICATION_REQUIREMENTS, "no login here reaches what is asked for"));
    };
  }

  /** Ends the request with an error. */
  EdgeReply error(RealmRequest request, AuthorizationRequest asked, Optional<String> key, OAuthError error) {
    Optional<EdgeReply> gone =
        sessions.current(request).isPresent()
            ? waiting.claim(request, asked, key)
            : waiting.claimForNobody(request, asked);
    if (gone.isPresent()) {
      return gone.get();
    }
    refusals.clientAnswered(request, asked.clientId(), "authorization request", error.code().name(), error.description());
    return waiting.answered(request, key, reply.error(request, asked.reply(), error, key.isPresent()));
  }

  private EdgeReply login(
      RealmRequest request, AuthorizationRequest asked, Client client, Optional<String> key) {
    if (asked.isPassive() && key.isEmpty() && sessions.waitsForProof(request)) {
      return waiting.at(request, asked, key, waits -> DeviceKeys.passivePage(request, PendingAuthorizations.resume(request, waits)));
    }
    return asked.isPassive()
        ? error(request, asked, key, OAuthError.of(Code.LOGIN_REQUIRED, "no session answers this request"))
        : waiting.login(request, asked, client, key);
  }

  private EdgeReply about(
      RealmRequest request,
      AuthorizationRequest asked,
      Client client,
      Optional<String> key,
      IdpSession session,
      AuthnDecision.Satisfied login) {
    boolean isSomebodyElse =
        asked
            .authentication().hintedSubject()
            .filter(hinted -> !hinted.equals(subjects.subject(request.realm(), client, session.person())))
            .isPresent();
    if (isSomebodyElse) {
      // The right person may still log in, once. A request that has already waited for a login gets the error.
      return asked.isPassive() || key.isPresent()
          ? error(request, asked, key, OAuthError.of(Code.LOGIN_REQUIRED, "somebody else is logged in"))
          : login(request, asked.withLogin(), client, key);
    }
    return switch (consents.decide(asked, client, session.person(), key.isPresent())) {
      case ConsentDecision.Missing missing when asked.isPassive() ->
          error(request, asked, key, OAuthError.of(Code.CONSENT_REQUIRED, "the person has not agreed yet"));
      case ConsentDecision.Missing missing ->
          waiting.at(request, asked, key, waits -> ConsentEndpoint.address(request, waits));
      case ConsentDecision.NotNeeded notNeeded -> issue(request, asked, client, key, session, login);
      case ConsentDecision.Given given -> issue(request, asked, client, key, session, login);
    };
  }

  private EdgeReply issue(
      RealmRequest request,
      AuthorizationRequest asked,
      Client client,
      Optional<String> key,
      IdpSession session,
      AuthnDecision.Satisfied login) {
    Optional<EdgeReply> gone = waiting.claim(request, asked, key);
    if (gone.isPresent()) {
      return gone.get();
    }
    EdgeReply answer =
        switch (issue.issue(request, asked, client, session, login)) {
          case Result.Accepted(var parameters) ->
              sent(request, asked, parameters, session, key.isPresent());
          case Result.Refused(var error) ->
              reply.error(request, asked.reply(), error, key.isPresent());
        };
    return waiting.answered(request, key, answer);
  }

  /**
   * An OpenID response contains the value with which the client's page can ask whether the person is still logged in.
   */
  private EdgeReply sent(
      RealmRequest request,
      AuthorizationRequest asked,
      Map<String, String> parameters,
      IdpSession session,
      boolean afterForm) {
    if (!asked.wanted().scopes().contains(Scopes.OPENID)) {
      return reply.send(request, asked.reply(), parameters, afterForm);
    }
    Map<String, String> all = new LinkedHashMap<>(parameters);
    states
        .of(asked.clientId(), asked.reply().redirectUri(), Optional.of(session))
        .ifPresent(state -> all.put("session_state", state));
    return StateCookie.keep(request, session, reply.send(request, asked.reply(), all, afterForm));
  }
}
