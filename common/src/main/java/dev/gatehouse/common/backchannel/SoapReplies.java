package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResponse;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.WrittenMessage;
import java.util.Optional;

/** The replies of our SOAP endpoints (SAML Bindings 3.2.3). */
public final class SoapReplies {

  private static final String TYPE = "text/xml; charset=utf-8";

  private final SamlWriter writer;

  public SoapReplies(SamlWriter writer) {
    this.writer = writer;
  }

  public EdgeReply message(SamlMessage message, SigningKey key) {
    return EdgeReply.of(200, TYPE, writer.soap(message, key));
  }

  public EdgeReply artifactResponse(ArtifactResponse response, Optional<WrittenMessage> message, SigningKey key) {
    return EdgeReply.of(200, TYPE, writer.soap(response, message, key));
  }

  /** Returns the reply to anything but a partner's request: without the reason, which is in the log. */
  public EdgeReply refused() {
    return EdgeReply.of(500, TYPE, writer.soapFault(SamlWriter.Fault.CLIENT, "The request was refused."));
  }

  /** As {@link #refused()}, with the reference id of the reason in the log. */
  public EdgeReply refused(String reference) {
    String text = "The request was refused (reference " + reference + ").";
    return EdgeReply.of(500, TYPE, writer.soapFault(SamlWriter.Fault.CLIENT, text));
  }
}
