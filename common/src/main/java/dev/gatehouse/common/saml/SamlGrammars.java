package dev.gatehouse.common.saml;

/**
 * The structure of the documents that we read, after the OASIS schemas (SAML Core, Metadata, Login and Discovery UI).
 */
final class SamlGrammars {

  private SamlGrammars() {}

  private static final String ASSERTION =
      """
      # saml-schema-assertion-2.0.xsd
      saml2:Issuer @NameQualifier @SPNameQualifier @Format @SPProvidedID = text
      saml2:NameID @NameQualifier @SPNameQualifier @Format @SPProvidedID = text
      saml2:BaseID @NameQualifier @SPNameQualifier = any
      saml2:EncryptedID = any
      saml2:EncryptedAssertion = any
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
      saml2:EncryptedAttribute = any
      saml2:AttributeValue = any
      ds:Signature @Id = signature
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
      """;

  private static final String METADATA =
      """
      # saml-schema-metadata-2.0.xsd
      md:Extensions = any
      md:EntitiesDescriptor @validUntil @cacheDuration @ID @Name = \
          ds:Signature? md:Extensions? (md:EntityDescriptor|md:EntitiesDescriptor)+
      md:EntityDescriptor @entityID! @validUntil @cacheDuration @ID = ds:Signature? md:Extensions? \
          (md:RoleDescriptor|md:IDPSSODescriptor|md:SPSSODescriptor|md:AuthnAuthorityDescriptor|\
      md:AttributeAuthorityDescriptor|md:PDPDescriptor|md:AffiliationDescriptor)+ \
          md:Organization? md:ContactPerson* md:AdditionalMetadataLocation*
      md:Organization = md:Extensions? md:OrganizationName+ md:OrganizationDisplayName+ md:OrganizationURL+
      md:OrganizationName = text
      md:OrganizationDisplayName = text
      md:OrganizationURL = text
      md:ContactPerson @contactType! = any
      md:AdditionalMetadataLocation @namespace! = text
      md:IDPSSODescriptor @ID @validUntil @cacheDuration @protocolSupportEnumeration! @errorURL \
          @WantAuthnRequestsSigned = \
          ds:Signature? md:Extensions? md:KeyDescriptor* md:Organization? md:ContactPerson* \
          md:ArtifactResolutionService* md:SingleLogoutService* md:ManageNameIDService* md:NameIDFormat* \
          md:SingleSignOnService+ md:NameIDMappingService* md:AssertionIDRequestService* md:AttributeProfile* \
          saml2:Attribute*
      md:SPSSODescriptor @ID @validUntil @cacheDuration @protocolSupportEnumeration! @errorURL @AuthnRequestsSigned \
          @WantAssertionsSigned = \
          ds:Signature? md:Extensions? md:KeyDescriptor* md:Organization? md:ContactPerson* \
          md:ArtifactResolutionService* md:SingleLogoutService* md:ManageNameIDService* md:NameIDFormat* \
          md:AssertionConsumerService+ md:AttributeConsumingService*
      md:KeyDescriptor @use = ds:KeyInfo md:EncryptionMethod*
      ds:KeyInfo @Id = any
      md:EncryptionMethod @Algorithm! = any
      md:ArtifactResolutionService @Binding! @Location! @ResponseLocation @index! @isDefault = any
      md:AssertionConsumerService @Binding! @Location! @ResponseLocation @index! @isDefault = any
      md:SingleLogoutService @Binding! @Location! @ResponseLocation = any
      md:ManageNameIDService @Binding! @Location! @ResponseLocation = any
      md:SingleSignOnService @Binding! @Location! @ResponseLocation = any
      md:NameIDMappingService @Binding! @Location! @ResponseLocation = any
      md:AssertionIDRequestService @Binding! @Location! @ResponseLocation = any
      md:NameIDFormat = text
      md:AttributeProfile = text
      md:AttributeConsumingService @index! @isDefault = any
      # Roles that we never read. RoleDescriptor is abstract: types that extend it have attributes of their own.
      md:RoleDescriptor @* @protocolSupportEnumeration! = any
      md:AuthnAuthorityDescriptor @ID @validUntil @cacheDuration @protocolSupportEnumeration! @errorURL = any
      md:AttributeAuthorityDescriptor @ID @validUntil @cacheDuration @protocolSupportEnumeration! @errorURL = any
      md:PDPDescriptor @ID @validUntil @cacheDuration @protocolSupportEnumeration! @errorURL = any
      md:AffiliationDescriptor @affiliationOwnerID! @validUntil @cacheDuration @ID = any
      """;

  /** AuthnRequest, Response, LogoutRequest, LogoutResponse. */
  static final Grammar MESSAGES =
      new Grammar(
          ASSERTION + PROTOCOL,
          "ds:Signature saml2:Assertion saml2:EncryptedAssertion saml2p:Response saml2p:AuthnRequest");

  /** EntityDescriptor, EntitiesDescriptor. */
  static final Grammar DESCRIPTORS =
      new Grammar(ASSERTION + METADATA, "ds:Signature md:EntityDescriptor md:IDPSSODescriptor md:SPSSODescriptor");
}
