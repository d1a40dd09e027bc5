package dev.gatehouse.common.nameid;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.util.Map;
import java.util.Optional;

/** Sends a signed message through a browser. */
record BrowserMessageSender(SamlWriter writer, Pages pages) {

  /** @param binding Redirect; anything else is POST */
  EdgeReply carry(
      NameIdParty self,
      EdgeRequest request,
      SamlMessage message,
      Binding binding,
      String location,
      Optional<String> relayState) {
    if (binding == Binding.REDIRECT) {
      return EdgeReply.seeOther(writer.redirect(message, location, relayState, self.key()));
    }
    return pages.autoSubmit(
        request, Optional.of(self.realm()), writer.post(message, location, relayState, self.key()));
  }

  /**
   * As {@link #carry}, in response to a form of ours. Its page permits the form for this origin only, and Chromium applies that to
   * redirects after it too (CSP Level 3, form-action). A page that continues by itself therefore leads to the other origin.
   */
  EdgeReply carryFromForm(
      NameIdParty self,
      EdgeRequest request,
      SamlMessage message,
      Binding binding,
      String location,
      Optional<String> relayState) {
    EdgeReply reply = carry(self, request, message, binding, location, relayState);
    return reply.headers().first("Location").map(target -> page(self, request, target)).orElse(reply);
  }

  private EdgeReply page(NameIdParty self, EdgeRequest request, String target) {
    return pages
        .render(request, Optional.of(self.realm()), Page.of(200, "redirect", Map.of("location", target)))
        .with("Refresh", "0;url=" + target);
  }
}
