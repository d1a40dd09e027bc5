package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.util.List;
import java.util.Optional;

/** Error pages as a test reads them. */
final class FakePages implements Pages {
  @Override
  public EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page) {
    return EdgeReply.of(page.status(), "text/plain", page.template());
  }

  @Override
  public EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference) {
    return EdgeReply.json(status, new JsonText().text("error", kind).text("reference", reference));
  }

  @Override
  public EdgeReply autoSubmit(EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form, List<String> framedBy) {
    throw new UnsupportedOperationException();
  }
}
