package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.signature.EnvelopedSigner;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Metadata of partners for imports. */
public final class PartnerMetadataFixture {

  public static final String ENTITY = "https://idp.partner.example/saml";

  private static final String MD = "urn:oasis:names:tc:SAML:2.0:metadata";

  private PartnerMetadataFixture() {}

  /** Returns the metadata of an identity provider, signed by that key. */
  public static String idp(String entityId, Instant validUntil, SigningKey key) {
    byte[] written =
        new CanonicalMetadataCodec()
            .writeIdp(
                new MetadataCodec.IdpDescriptor(
                    entityId,
                    "Partner <b>&\"'",
                    validUntil,
                    Duration.ofHours(4),
                    List.of(SamlFixtures.publicHalf(key)),
                    List.of(new PartnerMetadata.Endpoint(Binding.REDIRECT, "https://idp.partner.example/sso", Optional.empty())),
                    List.of(),
                    List.of()),
                key);
    return new String(written, StandardCharsets.UTF_8);
  }

  /** Returns metadata that are valid for a week. */
  public static String idp() {
    return idp(ENTITY, TestTime.START.plus(Duration.ofDays(7)), SamlFixtures.idpKey());
  }

  /** Returns metadata of two entities, not signed. */
  public static String aggregate() {
    String one = idp().replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    String other =
        idp("https://other.partner.example/saml", TestTime.START.plus(Duration.ofDays(7)), SamlFixtures.spKey())
            .replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    return "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\">" + one + other + "</md:EntitiesDescriptor>";
  }

  /** Returns metadata of those identity providers, signed as a whole. */
  public static String signedAggregate(Instant validUntil, SigningKey signer, List<String> entityIds) {
    String template = idp().replaceFirst("<ds:Signature .*?</ds:Signature>", "").replace(" xmlns:md=\"" + MD + "\"", "");
    String start = "<md:EntitiesDescriptor xmlns:md=\"" + MD + "\" ID=\"_all\" validUntil=\"" + validUntil + "\">";
    StringBuilder all = new StringBuilder();
    entityIds.forEach(id -> all.append(template.replace(ENTITY, id).replaceFirst(" ID=\"[^\"]*\"", "")));
    String rest = all + "</md:EntitiesDescriptor>";
    return start + EnvelopedSigner.sign(start + rest, "_all", signer) + rest;
  }

  /** Returns the certificate in PEM. */
  public static String pem(SigningKey key) throws CertificateEncodingException {
    return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(key.certificate().getEncoded()) + "\n-----END CERTIFICATE-----\n";
  }
}
