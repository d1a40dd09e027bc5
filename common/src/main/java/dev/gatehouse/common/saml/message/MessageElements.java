package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAMLP;

import dev.gatehouse.common.codec.UtcMillis;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.encryption.ElementEncrypter;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change.NewId;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change.Terminate;
import dev.gatehouse.common.saml.signature.EnvelopedSigner;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes messages and assertions in the order of the schemas (SAML Core 2 and 3). */
final class MessageElements {

  private final CanonicalXml xml = new CanonicalXml();
  private final Optional<ElementEncrypter> encrypter;

  private MessageElements(Optional<ElementEncrypter> encrypter) {
    this.encrypter = encrypter;
  }

  /** Writes a whole message without encryption. */
  static String write(SamlMessage message, Optional<SigningKey> messageKey, Optional<SigningKey> assertionKey) {
    return write(message, messageKey, assertionKey, Optional.empty());
  }

  /** Writes a whole message, signed by the keys that are present: one for the message, one for its assertions. */
  static String write(
      SamlMessage message,
      Optional<SigningKey> messageKey,
      Optional<SigningKey> assertionKey,
      Optional<ElementEncrypter> encrypter) {
    MessageElements elements = new MessageElements(encrypter);
    switch (message) {
      case SamlMessage.AuthnRequest request -> elements.authnRequest(request, messageKey);
      case SamlMessage.Response response -> elements.response(response, messageKey, assertionKey);
      case SamlMessage.LogoutRequest request -> elements.logoutRequest(request, messageKey);
      case SamlMessage.LogoutResponse response -> elements.answer("LogoutResponse", response, messageKey);
      case SamlMessage.ManageNameIdRequest request -> elements.manageNameIdRequest(request, messageKey);
      case SamlMessage.ManageNameIdResponse response -> elements.answer("ManageNameIDResponse", response, messageKey);
      case SamlMessage.ArtifactResolve request -> elements.artifactResolve(request, messageKey);
      case SamlMessage.ArtifactResponse response ->
          elements.artifactResponse(response, Optional.empty(), messageKey);
    }
    return elements.xml.toString();
  }

  /** Writes an ArtifactResponse around a message. */
  static String write(SamlMessage.ArtifactResponse response, Optional<WrittenMessage> carried, SigningKey key) {
    MessageElements elements = new MessageElements(Optional.empty());
    elements.artifactResponse(response, carried, Optional.of(key));
    return elements.xml.toString();
  }

  private void authnRequest(SamlMessage.AuthnRequest request, Optional<SigningKey> key) {
    xml.start(SAMLP, "AuthnRequest");
    xml.attribute("AssertionConsumerServiceURL", request.delivery().assertionConsumerServiceUrl());
    xml.attribute("AssertionConsumerServiceIndex", request.delivery().assertionConsumerServiceIndex().map(String::valueOf));
    xml.attribute("ProtocolBinding", request.delivery().protocolBinding());
    xml.attribute("AttributeConsumingServiceIndex", request.attributeConsumingServiceIndex().map(String::valueOf));
    flag("ForceAuthn", request.authentication().forceAuthn());
    flag("IsPassive", request.authentication().isPassive());
    int slot = header(request, request.version());
    request.subject().ifPresent(nameId -> subject(nameId, List.of()));
    request.nameIdPolicy().ifPresent(this::nameIdPolicy);
    request.authentication().requestedAuthnContext().ifPresent(this::requestedAuthnContext);
    if (!request.authentication().idpList().isEmpty()) {
      scoping(request.authentication().idpList());
    }
    xml.end();
    key.ifPresent(k -> sign(0, slot, request.id(), k));
  }

  private void scoping(List<String> idpList) {
    xml.start(SAMLP, "Scoping").start(SAMLP, "IDPList");
    idpList.forEach(idp -> xml.start(SAMLP, "IDPEntry").attribute("ProviderID", idp).end());
    xml.end().end();
  }

  private void nameIdPolicy(SamlMessage.NameIdPolicy policy) {
    xml.start(SAMLP, "NameIDPolicy")
        .attribute("Format", policy.format())
        .attribute("SPNameQualifier", policy.spNameQualifier());
    flag("AllowCreate", policy.allowCreate());
    xml.end();
  }

  private void requestedAuthnContext(SamlMessage.RequestedAuthnContext context) {
    xml.start(SAMLP, "RequestedAuthnContext").attribute("Comparison", context.comparison());
    context.classRefs().forEach(ref -> xml.element(SAML, "AuthnContextClassRef", ref));
    context.declRefs().forEach(ref -> xml.element(SAML, "AuthnContextDeclRef", ref));
    xml.end();
  }

  private void response(
      SamlMessage.Response response, Optional<SigningKey> messageKey, Optional<SigningKey> assertionKey) {
    xml.start(SAMLP, "Response")
        .attribute("InResponseTo", response.inResponseTo())
        .attribute("Consent", response.consent());
    int slot = header(response);
    status(response.status());
    response.assertions().forEach(assertion -> assertion(assertion, assertionKey));
    xml.end();
    messageKey.ifPresent(k -> sign(0, slot, response.id(), k));
  }

  private void logoutRequest(SamlMessage.LogoutRequest request, Optional<SigningKey> key) {
    xml.start(SAMLP, "LogoutRequest").attribute("NotOnOrAfter", request.notOnOrAfter().map(MessageElements::time))
        .attribute("Reason", request.reason());
    int slot = header(request);
    nameId(request.nameId());
    request.sessionIndexes().forEach(index -> xml.element(SAMLP, "SessionIndex", index));
    xml.end();
    key.ifPresent(k -> sign(0, slot, request.id(), k));
  }

  private void manageNameIdRequest(SamlMessage.ManageNameIdRequest request, Optional<SigningKey> key) {
    xml.start(SAMLP, "ManageNameIDRequest");
    int slot = header(request);
    nameId(request.nameId());
    switch (request.change()) {
      case NewId(String value) ->
          element(
              Encrypted.NAME_ID, SAMLP, "NewEncryptedID", elements -> elements.xml.element(SAMLP, "NewID", value));
      case Terminate() -> xml.start(SAMLP, "Terminate").end();
    }
    xml.end();
    key.ifPresent(k -> sign(0, slot, request.id(), k));
  }

  private void artifactResolve(SamlMessage.ArtifactResolve request, Optional<SigningKey> key) {
    xml.start(SAMLP, "ArtifactResolve");
    int slot = header(request);
    xml.element(SAMLP, "Artifact", request.artifact()).end();
    key.ifPresent(k -> sign(0, slot, request.id(), k));
  }

  private void artifactResponse(
      SamlMessage.ArtifactResponse response, Optional<WrittenMessage> carried, Optional<SigningKey> key) {
    xml.start(SAMLP, "ArtifactResponse").attribute("InResponseTo", response.inResponseTo());
    int slot = header(response);
    status(response.status());
    carried.ifPresent(message -> xml.embed(message.xml()));
    xml.end();
    key.ifPresent(k -> sign(0, slot, response.id(), k));
  }

  /** Writes a StatusResponseType without further content (SAML Core 3.2.2). */
  private void answer(String name, SamlMessage.StatusResponse response, Optional<SigningKey> key) {
    xml.start(SAMLP, name).attribute("InResponseTo", response.inResponseTo());
    int slot = header(response);
    status(response.status());
    xml.end();
    key.ifPresent(k -> sign(0, slot, response.id(), k));
  }

  /** Writes the common beginning of messages; returns the position after Issuer, for the Signature. */
  private int header(SamlMessage message) {
    return header(message, "2.0");
  }

  private int header(SamlMessage message, String version) {
    xml.attribute("ID", message.id());
    xml.attribute("Version", version);
    xml.attribute("IssueInstant", time(message.issueInstant()));
    xml.attribute("Destination", message.destination());
    xml.element(SAML, "Issuer", message.issuer());
    return xml.position();
  }

  private void status(SamlStatus status) {
    xml.start(SAMLP, "Status").start(SAMLP, "StatusCode").attribute("Value", status.code());
    status.subCode().ifPresent(sub -> xml.start(SAMLP, "StatusCode").attribute("Value", sub).end());
    xml.end();
    status.message().ifPresent(text -> xml.element(SAMLP, "StatusMessage", text));
    xml.end();
  }

  private void assertion(Assertion assertion, Optional<SigningKey> key) {
    element(Encrypted.ASSERTION, SAML, "EncryptedAssertion", elements -> elements.plainAssertion(assertion, key));
  }

  /** Writes an element here. If it is encrypted for the partner, writes it separately and then its encrypted form. */
  private void element(
      Encrypted kind, XmlNamespace namespace, String encryptedName, Consumer<MessageElements> write) {
    Optional<ElementEncrypter> encrypts = encrypter.filter(e -> e.encrypts(kind));
    if (encrypts.isEmpty()) {
      write.accept(this);
      return;
    }
    MessageElements alone = new MessageElements(encrypter);
    write.accept(alone);
    encrypts.get().write(xml, namespace, encryptedName, alone.xml.toString());
  }

  private void plainAssertion(Assertion assertion, Optional<SigningKey> key) {
    int start = xml.position();
    xml.start(SAML, "Assertion")
        .attribute("ID", assertion.id())
        .attribute("Version", "2.0")
        .attribute("IssueInstant", time(assertion.issueInstant()))
        .element(SAML, "Issuer", assertion.issuer());
    int slot = xml.position();
    subject(assertion.subject(), assertion.confirmations());
    conditions(assertion);
    assertion.authnStatement().ifPresent(this::authnStatement);
    if (!assertion.attributes().isEmpty()) {
      xml.start(SAML, "AttributeStatement");
      assertion.attributes().forEach(this::attribute);
      xml.end();
    }
    xml.end();
    key.ifPresent(k -> sign(start, slot, assertion.id(), k));
  }

  private void subject(NameId nameId, List<SubjectConfirmation> confirmations) {
    xml.start(SAML, "Subject");
    nameId(nameId);
    for (SubjectConfirmation confirmation : confirmations) {
      xml.start(SAML, "SubjectConfirmation").attribute("Method", confirmation.method());
      xml.start(SAML, "SubjectConfirmationData")
          .attribute("Recipient", confirmation.recipient())
          .attribute("InResponseTo", confirmation.inResponseTo())
          .attribute("NotBefore", confirmation.notBefore().map(MessageElements::time))
          .attribute("NotOnOrAfter", confirmation.notOnOrAfter().map(MessageElements::time));
      xml.end().end();
    }
    xml.end();
  }

  private void nameId(NameId nameId) {
    element(Encrypted.NAME_ID, SAML, "EncryptedID", elements -> elements.plainNameId(nameId));
  }

  private void plainNameId(NameId nameId) {
    xml.start(SAML, "NameID")
        .attribute("Format", nameId.format())
        .attribute("NameQualifier", nameId.nameQualifier())
        .attribute("SPNameQualifier", nameId.spNameQualifier())
        .attribute("SPProvidedID", nameId.spProvidedId())
        .text(nameId.value())
        .end();
  }

  private void conditions(Assertion assertion) {
    xml.start(SAML, "Conditions")
        .attribute("NotBefore", assertion.notBefore().map(MessageElements::time))
        .attribute("NotOnOrAfter", assertion.notOnOrAfter().map(MessageElements::time));
    for (List<String> audiences : assertion.audienceRestrictions()) {
      xml.start(SAML, "AudienceRestriction");
      audiences.forEach(audience -> xml.element(SAML, "Audience", audience));
      xml.end();
    }
    xml.end();
  }

  private void authnStatement(AuthnStatement statement) {
    xml.start(SAML, "AuthnStatement")
        .attribute("AuthnInstant", time(statement.authnInstant()))
        .attribute("SessionIndex", statement.sessionIndex())
        .attribute("SessionNotOnOrAfter", statement.sessionNotOnOrAfter().map(MessageElements::time));
    xml.start(SAML, "AuthnContext");
    statement.authnContextClassRef().ifPresent(ref -> xml.element(SAML, "AuthnContextClassRef", ref));
    xml.end().end();
  }

  private void attribute(SamlAttribute attribute) {
    element(Encrypted.ATTRIBUTES, SAML, "EncryptedAttribute", elements -> elements.plainAttribute(attribute));
  }

  private void plainAttribute(SamlAttribute attribute) {
    xml.start(SAML, "Attribute")
        .attribute("Name", attribute.name())
        .attribute("NameFormat", attribute.nameFormat())
        .attribute("FriendlyName", attribute.friendlyName());
    attribute.values().forEach(value -> xml.element(SAML, "AttributeValue", value));
    xml.end();
  }

  private void flag(String name, boolean value) {
    if (value) {
      xml.attribute(name, "true");
    }
  }

  /** Signs the text written since {@code start} and inserts the Signature at its position. */
  private void sign(int start, int slot, String id, SigningKey key) {
    xml.insert(slot, EnvelopedSigner.sign(xml.since(start), id, key));
  }

  /** Formats with milliseconds at most: finer times break parsers in use (SAML Core 1.3.3 says not to rely on them). */
  private static String time(Instant instant) {
    return UtcMillis.shortest(instant);
  }
}
