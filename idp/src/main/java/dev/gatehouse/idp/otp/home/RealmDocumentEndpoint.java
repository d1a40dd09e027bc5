package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import java.net.URI;
import java.util.Optional;

/** {@code GET otp/v1/realm}: what other realms need to know of this one, nothing of it secret. */
final class RealmDocumentEndpoint implements Endpoint {

  static final String PATH = "otp/v1/realm";

  private final OAuthReplies replies;

  RealmDocumentEndpoint(OAuthReplies replies) {
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<OtpTrusts> ours = request.realm().parties().otp();
    Optional<URI> origin = request.idp().oauth().certificateUrl();
    if (ours.isEmpty() || origin.isEmpty()) {
      return replies.refused(request, "-", OAuthError.of(Code.INVALID_REQUEST, "This realm trusts no other one: otp.visitors is not configured"));
    }
    URI url = URI.create(origin.get() + "/realms/" + request.realm().name() + "/otp/v1");
    Document document = new Document(ours.get().suffixes(), url, ours.get().certificates(), ours.get().authorities());
    return OAuthReplies.json(200, RealmDocument.write(document));
  }
}
