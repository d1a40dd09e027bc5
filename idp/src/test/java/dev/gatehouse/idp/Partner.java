package dev.gatehouse.idp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service provider in the frames of a receipt page. */
final class Partner {

  private Partner() {}

  /** The app, by Redirect: loads the one frame for a participant and answers its request. */
  static EdgeReply answers(Idp idp, TestBrowser browser, EdgeReply receipt, SamlStatus status) {
    Matcher frame = Pattern.compile("<iframe[^>]*src=\"([^\"]*logout/frame[^\"]*)\"").matcher(receipt.text());
    if (!frame.find()) {
      throw new AssertionError("no frame in " + receipt.text());
    }
    EdgeReply sent = browser.get(frame.group(1).replace("&amp;", "&"));
    LogoutRequest request = request(SamlFixtures.followed(URI.create(sent.headers().first("Location").orElseThrow())));
    LogoutResponse response =
        new LogoutResponse(
            "_answer-to-" + request.id(), idp.time.instant(), Idp.APP, Optional.of(Idp.SLO),
            Optional.of(request.id()), status);
    PostForm form = new CanonicalSamlWriter().post(response, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    return browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLResponse", form.value()));
  }

  private static LogoutRequest request(EdgeRequest sent) {
    return switch (new StrictSamlReader().logoutRequest(sent, SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }
}
