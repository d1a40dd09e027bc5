package dev.gatehouse.common.saml.encryption;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** Any change of an encrypted Response: it is refused, or the accepted content is the signed content. */
public final class EncryptedResponseFuzz {

  private static final List<Assertion> GENUINE = SamlFixtures.response(Optional.of("_request-1")).assertions();
  private static final SamlReader READER = new StrictSamlReader();

  private EncryptedResponseFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.idpKey();
    SamlFixtures.idpP256Key();
    SamlFixtures.spKey();
  }

  public static void fuzzerTestOneInput(byte[] xml) {
    check(xml);
  }

  static void check(byte[] xml) {
    var partners = EncryptionTest.decrypting(SamlFixtures.idpMetadata(), SamlFixtures.spKey());
    if (READER.response(Forgery.posted("SAMLResponse", xml), partners)
            instanceof Result.Accepted(ReceivedResponse response)
        && !response.assertions().isEmpty()
        && !response.assertions().equals(GENUINE)) {
      throw new IllegalStateException("believed what nobody signed: " + response.assertions());
    }
  }

  public static List<byte[]> seeds() {
    SigningKey to = SamlFixtures.spKey();
    List<byte[]> seeds = new ArrayList<>();
    for (Encrypted what : Encrypted.values()) {
      var form =
          new CanonicalSamlWriter()
              .encrypting(new Encryption(EnumSet.of(what), EncryptionTest.to(to)))
              .postResponse(
                  SamlFixtures.response(Optional.of("_request-1")), SamlFixtures.SP_ACS, Optional.empty(),
                  SamlFixtures.idpKey(), Signed.BOTH);
      seeds.add(Base64.getDecoder().decode(form.value()));
    }
    return seeds;
  }
}
