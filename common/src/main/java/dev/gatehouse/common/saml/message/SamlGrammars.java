package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.xml.Grammar;

/** The structure of the messages that we read, derived from the OASIS schemas (SAML Core). */
public final class SamlGrammars {

  private SamlGrammars() {}

  private static final String ASSERTION =
      """
      # saml-schema-assertion-2.0.xsd
      saml2:Issuer @NameQualifier @SPNameQualifier @Format @SPProvidedID = text
      saml2:NameID @NameQualifier @SPNameQualifier @Format @SPProvidedID = text
      saml2:BaseID @NameQualifier @SPNameQualifier = any
      saml2:EncryptedID = xenc:EncryptedData xenc:EncryptedKey*
      saml2:EncryptedAssertion = xenc:EncryptedData xenc:EncryptedKey*
      saml2:Assertion @Version! @ID! @IssueInstant! = saml2:Issuer ds:Signature? saml2:Subject? saml2:Conditions? \
          saml2:Advice? (saml2:Statement|saml2:AuthnStatement|saml2:AuthzDecisionStatement|saml2:AttributeStatement)*
      saml2:Subject = (saml2:NameID|saml2:BaseID|saml2:EncryptedID)? saml2:SubjectConfirmation*
      saml2:SubjectConfirmation @Method! = (saml2:NameID|saml2:BaseID|saml2:EncryptedID)? saml2:SubjectConfirmationData?
      saml2:SubjectConfirmationData @NotBefore @NotOnOrAfter @Recipient @InResponseTo @Address = any
      saml2:Conditions @NotBefore @NotOnOrAfter = \
          (saml2:AudienceRestriction|saml2:OneTimeUse|saml2:ProxyRestriction|saml2:Condition)*
      saml2:AudienceRestriction = saml2:Audience+
      saml2:Audience = text
      saml2:OneTimeUse =
      saml2:ProxyRestriction @Count = saml2:Audience*
      saml2:Condition = any
      saml2:Advice = any
      saml2:Statement = any
      saml2:AuthnStatement @AuthnInstant! @SessionIndex @SessionNotOnOrAfter = saml2:SubjectLocality? saml2:AuthnContext
      saml2:SubjectLocality @Address @DNSName = text
      saml2:AuthnContext = saml2:AuthnContextClassRef? (saml2:AuthnContextDecl|saml2:AuthnContextDeclRef)? \
          saml2:AuthenticatingAuthority*
      saml2:AuthnContextClassRef = text
      saml2:AuthnContextDeclRef = text
      saml2:AuthnContextDecl = any
      saml2:AuthenticatingAuthority = text
      saml2:AuthzDecisionStatement @Resource! @Decision! = any
      saml2:AttributeStatement = (saml2:Attribute|saml2:EncryptedAttribute)+
      saml2:Attribute @Name! @NameFormat @FriendlyName = saml2:AttributeValue*
      saml2:EncryptedAttribute = xenc:EncryptedData xenc:EncryptedKey*
      saml2:AttributeValue = any
      ds:Signature @Id = signature
      """;

  /** The elements around ciphertext; those that only describe it or refer elsewhere are not read. */
  private static final String ENCRYPTION =
      """
      # xenc-schema.xsd; a CipherReference is not offered
      xenc:EncryptedData @Id @Type @MimeType @Encoding = \
          xenc:EncryptionMethod? ds:KeyInfo? xenc:CipherData xenc:EncryptionProperties?
      xenc:EncryptedKey @Id @Type @MimeType @Encoding @Recipient = xenc:EncryptionMethod? ds:KeyInfo? xenc:CipherData \
          xenc:EncryptionProperties? xenc:ReferenceList? xenc:CarriedKeyName?
      xenc:EncryptionMethod @Algorithm! = xenc:KeySize? xenc:OAEPparams? (ds:DigestMethod|xenc11:MGF)*
      xenc:KeySize = text
      xenc:OAEPparams = text
      ds:DigestMethod @Algorithm! =
      xenc11:MGF @Algorithm! =
      xenc:CipherData = xenc:CipherValue
      xenc:CipherValue = text
      xenc:EncryptionProperties @Id = any
      xenc:ReferenceList = any
      xenc:CarriedKeyName = text
      ds:KeyInfo @Id = (ds:KeyName|ds:KeyValue|ds:RetrievalMethod|ds:X509Data|xenc:EncryptedKey)*
      ds:KeyName = text
      ds:KeyValue = any
      ds:RetrievalMethod @URI @Type = any
      ds:X509Data = any
      """;

  private static final String PROTOCOL =
      """
      # saml-schema-protocol-2.0.xsd
      saml2p:Extensions = any
      saml2p:AuthnRequest @ID! @Version! @IssueInstant! @Destination @Consent @ForceAuthn @IsPassive @ProtocolBinding \
          @AssertionConsumerServiceIndex @AssertionConsumerServiceURL @AttributeConsumingServiceIndex @ProviderName = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2:Subject? saml2p:NameIDPolicy? saml2:Conditions? \
          saml2p:RequestedAuthnContext? saml2p:Scoping?
      saml2p:NameIDPolicy @Format @SPNameQualifier @AllowCreate =
      saml2p:RequestedAuthnContext @Comparison = saml2:AuthnContextClassRef* saml2:AuthnContextDeclRef*
      saml2p:Scoping @ProxyCount = saml2p:IDPList? saml2p:RequesterID*
      saml2p:IDPList = saml2p:IDPEntry+ saml2p:GetComplete?
      saml2p:IDPEntry @ProviderID! @Name @Loc =
      saml2p:GetComplete = text
      saml2p:RequesterID = text
      saml2p:Response @ID! @InResponseTo @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2p:Status (saml2:Assertion|saml2:EncryptedAssertion)*
      saml2p:Status = saml2p:StatusCode saml2p:StatusMessage? saml2p:StatusDetail?
      saml2p:StatusCode @Value! = saml2p:StatusCode?
      saml2p:StatusMessage = text
      saml2p:StatusDetail = any
      saml2p:LogoutRequest @ID! @Version! @IssueInstant! @Destination @Consent @Reason @NotOnOrAfter = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? (saml2:NameID|saml2:BaseID|saml2:EncryptedID) \
          saml2p:SessionIndex*
      saml2p:SessionIndex = text
      saml2p:LogoutResponse @ID! @InResponseTo @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2p:Status
      saml2p:ManageNameIDRequest @ID! @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? (saml2:NameID|saml2:EncryptedID) \
          (saml2p:NewID|saml2p:NewEncryptedID|saml2p:Terminate)
      saml2p:NewID = text
      saml2p:NewEncryptedID = xenc:EncryptedData xenc:EncryptedKey*
      saml2p:Terminate =
      saml2p:ManageNameIDResponse @ID! @InResponseTo @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2p:Status
      saml2p:ArtifactResolve @ID! @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2p:Artifact
      saml2p:Artifact = text
      # The schema lets anything follow Status; these are the messages that the binding carries.
      saml2p:ArtifactResponse @ID! @InResponseTo @Version! @IssueInstant! @Destination @Consent = \
          saml2:Issuer? ds:Signature? saml2p:Extensions? saml2p:Status \
          (saml2p:AuthnRequest|saml2p:Response|saml2p:LogoutRequest|saml2p:LogoutResponse\
          |saml2p:ManageNameIDRequest|saml2p:ManageNameIDResponse)?
      """;

  /** The structure of every message in {@link SamlMessage}. */
  static final Grammar MESSAGES =
      new Grammar(
          ASSERTION + ENCRYPTION + PROTOCOL,
          "ds:Signature saml2:Assertion saml2:EncryptedAssertion saml2p:Response saml2p:AuthnRequest"
              + " saml2p:LogoutRequest saml2p:LogoutResponse saml2p:ManageNameIDRequest saml2p:ManageNameIDResponse"
              + " saml2p:ArtifactResolve saml2p:ArtifactResponse xenc:EncryptedData xenc:EncryptedKey");
}
