package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.Confirmation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Issues access tokens in the form that each client has (RFC 9068, or opaque), and tells what those that are shown mean. */
public interface AccessTokens {

  /** @param value to send; @param token what it says */
  record Issued(String value, AccessToken token) {
    @Override
    public String toString() {
      return "Issued " + token.id();
    }
  }

  /** For a person's authorization. @param resources within the authorization's; our own issuer where empty */
  Issued issue(
      RealmRequest request,
      Client client,
      Authorization authorization,
      Set<String> scopes,
      List<String> resources,
      Optional<Confirmation> confirmation);

  /** For the client itself (RFC 6749, section 4.4). */
  Issued issueToClient(
      RealmRequest request,
      Client client,
      Set<String> scopes,
      List<String> resources,
      Optional<Confirmation> confirmation);

  /**
   * What a token means that counts now: ours, this realm's, not expired, not revoked, and what it came of still stands. Empty
   * for everything else; whether its binding is proved is the caller's to check.
   */
  Optional<AccessToken> find(RealmRequest request, String value);

  /** That token alone counts no more (RFC 7009, section 2.1); durable when it returns. */
  void revoke(RealmRequest request, AccessToken token);
}
