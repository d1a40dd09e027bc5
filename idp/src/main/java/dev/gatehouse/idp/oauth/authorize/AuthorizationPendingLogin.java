package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Lets authorization requests wait for a person, and ensures that each is answered once: a pushed or saved request by
 * that ID, any other by its key. A person may therefore reload, go back and use tabs until one of them is answered;
 * then one mark is written.
 */
final class AuthorizationPendingLogin {

  private final PendingRequests<AuthorizationRequest> pendingRequests;
  private final PushedRequests pushed;
  private final PendingAuthorizations signOns;
  private final LoginEndpoint login;

  AuthorizationPendingLogin(
      PendingRequests<AuthorizationRequest> pendingRequests,
      PushedRequests pushed,
      PendingAuthorizations signOns,
      LoginEndpoint login) {
    this.pendingRequests = pendingRequests;
    this.pushed = pushed;
    this.signOns = signOns;
    this.login = login;
  }

  /**
   * Shows the login form. It is the response to a request that may be repeated, because people reload the page; after any
   * other request the form has an address of its own.
   */
  EdgeReply login(RealmRequest request, AuthorizationRequest asked, Client client, Optional<String> key) {
    boolean isRepeatable =
        key.isEmpty() && request.http().isGet() && asked.once().pushed().isEmpty() && asked.once().resumed().isEmpty();
    return isRepeatable
        ? pendingRequests.show(
            request,
            asked,
            (browser, waits) ->
                login.begin(request, signOns.signOn(request, waits, asked, client, BrowserBinding.hash(browser)), browser))
        : at(request, asked, key, waits -> LoginEndpoint.address(request, Optional.of(waits)));
  }

  /** As {@link PendingRequests#at}. */
  EdgeReply at(RealmRequest request, AuthorizationRequest asked, Optional<String> key, UnaryOperator<String> page) {
    return pendingRequests.at(request, asked, key, page);
  }

  /** Saves the request until the browser returns with its cookies. */
  EdgeReply saveAndRedirect(RealmRequest request, AuthorizationRequest asked) {
    return pendingRequests.saveAndRedirect(request, asked, key -> request.here(AuthorizeConfig.PATH) + "?resume=" + key);
  }

  /**
   * Claims the right to answer.
   *
   * @return the error reply if the request was answered before
   */
  Optional<EdgeReply> claim(RealmRequest request, AuthorizationRequest asked, Optional<String> key) {
    return asked.once().pushed().isPresent()
        ? claimPushed(request, asked, pushed::answer)
        : asked.once().resumed().or(() -> key).flatMap(id -> pendingRequests.claim(request, id));
  }

  /**
   * Like {@link #claim}, for an error without personal data because nobody is logged in. It writes no mark, except that
   * a {@code request_uri} is used up.
   */
  Optional<EdgeReply> claimForNobody(RealmRequest request, AuthorizationRequest asked) {
    return claimPushed(request, asked, pushed::answerForNobody);
  }

  /** @param answer returns whether this is the first answer */
  private Optional<EdgeReply> claimPushed(RealmRequest request, AuthorizationRequest asked, Predicate<String> answer) {
    return asked.once().pushed().filter(answer.negate()).map(key -> pendingRequests.used(request, "PUSHED_REQUEST_REPLAYED"));
  }

  /** Removes the pending request from the browser together with the reply that answers it. */
  EdgeReply answered(RealmRequest request, Optional<String> key, EdgeReply reply) {
    return pendingRequests.forgottenBy(reply, request, key);
  }
}
