package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.sp.acs.SignOnRefusals.Again;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AccountRules.Resolution;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.Optional;

/** Opens the session of a login whose browser was recognised, for the account that the login resolves to. */
public final class SamlSessionOpening {

  private final AppSessionOpening opening;
  private final LoginConsumption consumption;
  private final Linking linking;
  private final ReturnRedirect returnRedirect;
  private final PendingRequests pendings;
  private final AppSessions sessions;
  private final SignOnRefusals signOnRefusals;
  private final Refusals refusals;

  public SamlSessionOpening(
      AppSessionOpening opening,
      LoginConsumption consumption,
      Linking linking,
      ReturnRedirect returnRedirect,
      PendingRequests pendings,
      AppSessions sessions,
      SignOnRefusals signOnRefusals,
      Refusals refusals) {
    this.opening = opening;
    this.consumption = consumption;
    this.linking = linking;
    this.returnRedirect = returnRedirect;
    this.pendings = pendings;
    this.sessions = sessions;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  /** The browser's current session. */
  Optional<AppSession> session(SpRealm realm, EdgeRequest request) {
    return sessions.ofBrowser(realm.name(), request);
  }

  EdgeReply enter(SpRealm realm, EdgeRequest request, RecognisedLogin login, Resolution resolution) {
    return switch (resolution) {
      case Resolution.Known(LocalAccount account) -> open(realm, request, login, account, false);
      case Resolution.Matched(LocalAccount account) -> open(realm, request, login, account, true);
      case Resolution.LoginNeeded needed -> loginHere(realm, request, login);
      case Resolution.Refused(SamlRefusal refusal) ->
          notLinked(
              realm,
              request,
              login,
              login.pending().map(pending -> Again.of(realm, pending)).orElse(Again.ELSEWHERE),
              refusal);
    };
  }

  private EdgeReply open(
      SpRealm realm, EdgeRequest request, RecognisedLogin login, LocalAccount account, boolean linkFirst) {
    return switch (opening.open(realm, request, login, account, linkFirst)) {
      case Result.Refused(SamlRefusal refusal) ->
          SignOnRefusals.isOfLinks(refusal)
              ? notLinked(realm, request, login, Again.ELSEWHERE, refusal)
              : refused(realm, request, login, refusal);
      case Result.Accepted(AppSessionOpening.Opened opened) -> {
        EdgeReply reply = returnRedirect.redirect(realm, login.target(), opened.session().id());
        yield forgotten(realm, request, login, opened.rememberedBy(reply, request));
      }
    };
  }

  private EdgeReply loginHere(SpRealm realm, EdgeRequest request, RecognisedLogin login) {
    if (!login.isSolicited()) {
      return linking.beginAtProvider(realm, login);
    }
    return consumption
        .refusal(realm, login)
        .map(refusal -> refused(realm, request, login, refusal))
        .orElseGet(() -> forgotten(realm, request, login, linking.begin(realm, login)));
  }

  /** Makes the browser forget the consumed request or saved login. */
  private EdgeReply forgotten(SpRealm realm, EdgeRequest request, RecognisedLogin login, EdgeReply reply) {
    return login
        .pending()
        .map(pending -> pendings.forgottenBy(reply, realm, request, pending.id()))
        .or(() -> BrowserKey.ofUnsolicited(realm, request).map(key -> key.forgottenBy(reply, request)))
        .orElse(reply);
  }

  private EdgeReply notLinked(
      SpRealm realm, EdgeRequest request, RecognisedLogin login, Again again, SamlRefusal refusal) {
    return signOnRefusals.notLinked(realm, request, login.assertion().identityProvider(), again, refusal);
  }

  private EdgeReply refused(SpRealm realm, EdgeRequest request, RecognisedLogin login, SamlRefusal refusal) {
    return refusals.message(realm, request, login.assertion().identityProvider(), "Response", refusal);
  }
}
