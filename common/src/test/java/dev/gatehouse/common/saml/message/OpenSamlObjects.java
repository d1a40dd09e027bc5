package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.schema.XSAny;
import org.opensaml.core.xml.schema.impl.XSAnyBuilder;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.SAMLObject;
import org.opensaml.saml.saml2.core.Artifact;
import org.opensaml.saml.saml2.core.ArtifactResolve;
import org.opensaml.saml.saml2.core.ArtifactResponse;
import org.opensaml.saml.saml2.core.Attribute;
import org.opensaml.saml.saml2.core.AttributeStatement;
import org.opensaml.saml.saml2.core.AttributeValue;
import org.opensaml.saml.saml2.core.Audience;
import org.opensaml.saml.saml2.core.AudienceRestriction;
import org.opensaml.saml.saml2.core.AuthnContext;
import org.opensaml.saml.saml2.core.AuthnContextClassRef;
import org.opensaml.saml.saml2.core.AuthnContextComparisonTypeEnumeration;
import org.opensaml.saml.saml2.core.AuthnContextDeclRef;
import org.opensaml.saml.saml2.core.AuthnRequest;
import org.opensaml.saml.saml2.core.AuthnStatement;
import org.opensaml.saml.saml2.core.Conditions;
import org.opensaml.saml.saml2.core.IDPEntry;
import org.opensaml.saml.saml2.core.IDPList;
import org.opensaml.saml.saml2.core.Issuer;
import org.opensaml.saml.saml2.core.LogoutRequest;
import org.opensaml.saml.saml2.core.LogoutResponse;
import org.opensaml.saml.saml2.core.ManageNameIDRequest;
import org.opensaml.saml.saml2.core.ManageNameIDResponse;
import org.opensaml.saml.saml2.core.NameID;
import org.opensaml.saml.saml2.core.NameIDPolicy;
import org.opensaml.saml.saml2.core.NewID;
import org.opensaml.saml.saml2.core.RequestAbstractType;
import org.opensaml.saml.saml2.core.RequestedAuthnContext;
import org.opensaml.saml.saml2.core.Response;
import org.opensaml.saml.saml2.core.Scoping;
import org.opensaml.saml.saml2.core.SessionIndex;
import org.opensaml.saml.saml2.core.Status;
import org.opensaml.saml.saml2.core.StatusCode;
import org.opensaml.saml.saml2.core.StatusMessage;
import org.opensaml.saml.saml2.core.StatusResponseType;
import org.opensaml.saml.saml2.core.Subject;
import org.opensaml.saml.saml2.core.SubjectConfirmation;
import org.opensaml.saml.saml2.core.SubjectConfirmationData;
import org.opensaml.saml.saml2.core.Terminate;

/** Our records as objects of OpenSAML, which writes them in its own way. */
public final class OpenSamlObjects {

  private OpenSamlObjects() {}

  public static SAMLObject of(SamlMessage message) {
    return switch (message) {
      case SamlMessage.AuthnRequest m -> request(m, authnRequest(m));
      case SamlMessage.LogoutRequest m -> request(m, logoutRequest(m));
      case SamlMessage.ManageNameIdRequest m -> request(m, manageNameIdRequest(m));
      case SamlMessage.ArtifactResolve m -> {
        ArtifactResolve resolve = build(ArtifactResolve.DEFAULT_ELEMENT_NAME);
        Artifact artifact = build(Artifact.DEFAULT_ELEMENT_NAME);
        artifact.setValue(m.artifact());
        resolve.setArtifact(artifact);
        yield request(m, resolve);
      }
      case SamlMessage.Response m -> {
        Response response = build(Response.DEFAULT_ELEMENT_NAME);
        m.consent().ifPresent(response::setConsent);
        m.assertions().forEach(assertion -> response.getAssertions().add(assertion(assertion)));
        yield answer(m, response);
      }
      case SamlMessage.LogoutResponse m -> answer(m, build(LogoutResponse.DEFAULT_ELEMENT_NAME));
      case SamlMessage.ManageNameIdResponse m -> answer(m, build(ManageNameIDResponse.DEFAULT_ELEMENT_NAME));
      case SamlMessage.ArtifactResponse m -> answer(m, build(ArtifactResponse.DEFAULT_ELEMENT_NAME));
    };
  }

  public static SAMLObject around(SamlMessage.ArtifactResponse response, SamlMessage carried) {
    ArtifactResponse object = (ArtifactResponse) of(response);
    object.setMessage(of(carried));
    return object;
  }

  private static RequestAbstractType request(SamlMessage message, RequestAbstractType object) {
    object.setID(message.id());
    object.setIssueInstant(message.issueInstant());
    object.setIssuer(issuer(message.issuer()));
    message.destination().ifPresent(object::setDestination);
    return object;
  }

  private static StatusResponseType answer(SamlMessage.StatusResponse message, StatusResponseType object) {
    object.setID(message.id());
    object.setIssueInstant(message.issueInstant());
    object.setIssuer(issuer(message.issuer()));
    message.destination().ifPresent(object::setDestination);
    message.inResponseTo().ifPresent(object::setInResponseTo);
    object.setStatus(status(message.status()));
    return object;
  }

  private static Issuer issuer(String value) {
    Issuer issuer = build(Issuer.DEFAULT_ELEMENT_NAME);
    issuer.setValue(value);
    return issuer;
  }

  private static Status status(SamlStatus value) {
    Status status = build(Status.DEFAULT_ELEMENT_NAME);
    StatusCode code = build(StatusCode.DEFAULT_ELEMENT_NAME);
    code.setValue(value.code());
    value
        .subCode()
        .ifPresent(
            sub -> {
              StatusCode second = build(StatusCode.DEFAULT_ELEMENT_NAME);
              second.setValue(sub);
              code.setStatusCode(second);
            });
    status.setStatusCode(code);
    value
        .message()
        .ifPresent(
            text -> {
              StatusMessage message = build(StatusMessage.DEFAULT_ELEMENT_NAME);
              message.setValue(text);
              status.setStatusMessage(message);
            });
    return status;
  }

  private static AuthnRequest authnRequest(SamlMessage.AuthnRequest m) {
    AuthnRequest request = build(AuthnRequest.DEFAULT_ELEMENT_NAME);
    m.delivery().assertionConsumerServiceUrl().ifPresent(request::setAssertionConsumerServiceURL);
    m.delivery().assertionConsumerServiceIndex().ifPresent(request::setAssertionConsumerServiceIndex);
    m.delivery().protocolBinding().ifPresent(request::setProtocolBinding);
    m.attributeConsumingServiceIndex().ifPresent(request::setAttributeConsumingServiceIndex);
    if (m.authentication().forceAuthn()) {
      request.setForceAuthn(true);
    }
    if (m.authentication().isPassive()) {
      request.setIsPassive(true);
    }
    m.nameIdPolicy().ifPresent(policy -> request.setNameIDPolicy(nameIdPolicy(policy)));
    m.authentication().requestedAuthnContext().ifPresent(context -> request.setRequestedAuthnContext(requestedAuthnContext(context)));
    m.subject().ifPresent(nameId -> request.setSubject(subject(nameId)));
    if (!m.authentication().idpList().isEmpty()) {
      request.setScoping(scoping(m.authentication().idpList()));
    }
    return request;
  }

  private static Scoping scoping(List<String> idps) {
    IDPList list = build(IDPList.DEFAULT_ELEMENT_NAME);
    for (String idp : idps) {
      IDPEntry entry = build(IDPEntry.DEFAULT_ELEMENT_NAME);
      entry.setProviderID(idp);
      list.getIDPEntrys().add(entry);
    }
    Scoping scoping = build(Scoping.DEFAULT_ELEMENT_NAME);
    scoping.setIDPList(list);
    return scoping;
  }

  private static NameIDPolicy nameIdPolicy(SamlMessage.NameIdPolicy value) {
    NameIDPolicy policy = build(NameIDPolicy.DEFAULT_ELEMENT_NAME);
    value.format().ifPresent(policy::setFormat);
    value.spNameQualifier().ifPresent(policy::setSPNameQualifier);
    if (value.allowCreate()) {
      policy.setAllowCreate(true);
    }
    return policy;
  }

  private static RequestedAuthnContext requestedAuthnContext(SamlMessage.RequestedAuthnContext value) {
    RequestedAuthnContext context = build(RequestedAuthnContext.DEFAULT_ELEMENT_NAME);
    context.setComparison(
        switch (value.comparison()) {
          case "minimum" -> AuthnContextComparisonTypeEnumeration.MINIMUM;
          case "maximum" -> AuthnContextComparisonTypeEnumeration.MAXIMUM;
          case "better" -> AuthnContextComparisonTypeEnumeration.BETTER;
          default -> AuthnContextComparisonTypeEnumeration.EXACT;
        });
    for (String uri : value.classRefs()) {
      context.getAuthnContextClassRefs().add(classRef(uri));
    }
    for (String uri : value.declRefs()) {
      AuthnContextDeclRef ref = build(AuthnContextDeclRef.DEFAULT_ELEMENT_NAME);
      ref.setURI(uri);
      context.getAuthnContextDeclRefs().add(ref);
    }
    return context;
  }

  private static AuthnContextClassRef classRef(String uri) {
    AuthnContextClassRef ref = build(AuthnContextClassRef.DEFAULT_ELEMENT_NAME);
    ref.setURI(uri);
    return ref;
  }

  private static LogoutRequest logoutRequest(SamlMessage.LogoutRequest m) {
    LogoutRequest request = build(LogoutRequest.DEFAULT_ELEMENT_NAME);
    m.notOnOrAfter().ifPresent(request::setNotOnOrAfter);
    request.setNameID(nameId(m.nameId()));
    for (String value : m.sessionIndexes()) {
      SessionIndex index = build(SessionIndex.DEFAULT_ELEMENT_NAME);
      index.setValue(value);
      request.getSessionIndexes().add(index);
    }
    return request;
  }

  private static ManageNameIDRequest manageNameIdRequest(SamlMessage.ManageNameIdRequest m) {
    ManageNameIDRequest request = build(ManageNameIDRequest.DEFAULT_ELEMENT_NAME);
    request.setNameID(nameId(m.nameId()));
    switch (m.change()) {
      case Change.NewId(String value) -> {
        NewID newId = build(NewID.DEFAULT_ELEMENT_NAME);
        newId.setValue(value);
        request.setNewID(newId);
      }
      case Change.Terminate() -> request.setTerminate(build(Terminate.DEFAULT_ELEMENT_NAME));
    }
    return request;
  }

  private static org.opensaml.saml.saml2.core.Assertion assertion(Assertion value) {
    org.opensaml.saml.saml2.core.Assertion assertion =
        build(org.opensaml.saml.saml2.core.Assertion.DEFAULT_ELEMENT_NAME);
    assertion.setID(value.id());
    assertion.setIssueInstant(value.issueInstant());
    assertion.setIssuer(issuer(value.issuer()));
    Subject subject = subject(value.subject());
    value.confirmations().forEach(c -> subject.getSubjectConfirmations().add(confirmation(c)));
    assertion.setSubject(subject);
    assertion.setConditions(conditions(value));
    value.authnStatement().ifPresent(statement -> assertion.getAuthnStatements().add(authnStatement(statement)));
    if (!value.attributes().isEmpty()) {
      AttributeStatement statement = build(AttributeStatement.DEFAULT_ELEMENT_NAME);
      value.attributes().forEach(attribute -> statement.getAttributes().add(attribute(attribute)));
      assertion.getAttributeStatements().add(statement);
    }
    return assertion;
  }

  private static Subject subject(NameId nameId) {
    Subject subject = build(Subject.DEFAULT_ELEMENT_NAME);
    subject.setNameID(nameId(nameId));
    return subject;
  }

  private static NameID nameId(NameId value) {
    NameID nameId = build(NameID.DEFAULT_ELEMENT_NAME);
    nameId.setValue(value.value());
    nameId.setFormat(value.format());
    value.nameQualifier().ifPresent(nameId::setNameQualifier);
    value.spNameQualifier().ifPresent(nameId::setSPNameQualifier);
    value.spProvidedId().ifPresent(nameId::setSPProvidedID);
    return nameId;
  }

  private static SubjectConfirmation confirmation(Assertion.SubjectConfirmation value) {
    SubjectConfirmation confirmation = build(SubjectConfirmation.DEFAULT_ELEMENT_NAME);
    SubjectConfirmationData data = build(SubjectConfirmationData.DEFAULT_ELEMENT_NAME);
    confirmation.setMethod(value.method());
    value.recipient().ifPresent(data::setRecipient);
    value.inResponseTo().ifPresent(data::setInResponseTo);
    value.notBefore().ifPresent(data::setNotBefore);
    value.notOnOrAfter().ifPresent(data::setNotOnOrAfter);
    confirmation.setSubjectConfirmationData(data);
    return confirmation;
  }

  private static Conditions conditions(Assertion value) {
    Conditions conditions = build(Conditions.DEFAULT_ELEMENT_NAME);
    value.notBefore().ifPresent(conditions::setNotBefore);
    value.notOnOrAfter().ifPresent(conditions::setNotOnOrAfter);
    value
        .audienceRestrictions()
        .forEach(
            audiences -> {
              AudienceRestriction restriction = build(AudienceRestriction.DEFAULT_ELEMENT_NAME);
              for (String uri : audiences) {
                Audience audience = build(Audience.DEFAULT_ELEMENT_NAME);
                audience.setURI(uri);
                restriction.getAudiences().add(audience);
              }
              conditions.getAudienceRestrictions().add(restriction);
            });
    return conditions;
  }

  private static AuthnStatement authnStatement(Assertion.AuthnStatement value) {
    AuthnStatement statement = build(AuthnStatement.DEFAULT_ELEMENT_NAME);
    statement.setAuthnInstant(value.authnInstant());
    value.sessionIndex().ifPresent(statement::setSessionIndex);
    value.sessionNotOnOrAfter().ifPresent(statement::setSessionNotOnOrAfter);
    AuthnContext context = build(AuthnContext.DEFAULT_ELEMENT_NAME);
    value.authnContextClassRef().ifPresent(uri -> context.setAuthnContextClassRef(classRef(uri)));
    statement.setAuthnContext(context);
    return statement;
  }

  /** Values as xs:any, since we write no xsi:type. */
  private static Attribute attribute(SamlAttribute value) {
    Attribute attribute = build(Attribute.DEFAULT_ELEMENT_NAME);
    attribute.setName(value.name());
    attribute.setNameFormat(value.nameFormat());
    value.friendlyName().ifPresent(attribute::setFriendlyName);
    for (String text : value.values()) {
      XSAny any = new XSAnyBuilder().buildObject(AttributeValue.DEFAULT_ELEMENT_NAME);
      Optional.of(text).filter(t -> !t.isEmpty()).ifPresent(any::setTextContent);
      attribute.getAttributeValues().add(any);
    }
    return attribute;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends XMLObject> T build(QName name) {
    return (T) XMLObjectSupport.buildXMLObject(name);
  }
}
