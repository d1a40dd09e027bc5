package dev.gatehouse.common.saml.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One part encrypts and the other decrypts; signatures inside and outside stay valid. */
public class EncryptionTest {

  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();

  public static EncryptionKey to(SigningKey key) {
    return new EncryptionKey(key.certificate(), ContentCipher.AES_256_GCM, KeyTransport.RSA_OAEP_MGF1P);
  }

  public static Encryption everything(SigningKey key) {
    return new Encryption(EnumSet.allOf(Encrypted.class), to(key));
  }

  public static SamlReader.PartnerLookup decrypting(PartnerMetadata partner, SigningKey... keys) {
    List<DecryptionKey> ours =
        Stream.of(keys).map(key -> new DecryptionKey(key.id(), key.privateKey())).toList();
    return decrypting(partner, ours);
  }

  static SamlReader.PartnerLookup decrypting(PartnerMetadata partner, List<DecryptionKey> ours) {
    return SamlFixtures.partners(partner).decryptingWith(() -> ours);
  }

  public static Stream<Set<Encrypted>> whats() {
    return Stream.of(
        EnumSet.of(Encrypted.ASSERTION),
        EnumSet.of(Encrypted.NAME_ID),
        EnumSet.of(Encrypted.ATTRIBUTES),
        EnumSet.of(Encrypted.NAME_ID, Encrypted.ATTRIBUTES),
        EnumSet.allOf(Encrypted.class));
  }

  @ParameterizedTest
  @MethodSource("whats")
  void responses(Set<Encrypted> what) {
    for (Signed signed : Signed.values()) {
      for (ContentCipher cipher : ContentCipher.values()) {
        for (KeyTransport transport : KeyTransport.values()) {
          var key = new EncryptionKey(SamlFixtures.spKey().certificate(), cipher, transport);
          SamlMessage.Response response = SamlFixtures.response(Optional.of("_r1"));

          var form =
              writer
                  .encrypting(new Encryption(what, key))
                  .postResponse(response, SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey(), signed);
          String sent = new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
          ReceivedResponse received = accepted(read(SamlFixtures.posted(form), SamlFixtures.spKey()));

          assertThat(received.assertions()).isEqualTo(response.assertions());
          assertThat(received.responseSigned()).isEqualTo(signed != Signed.ASSERTION);
          if (what.contains(Encrypted.ASSERTION) || what.contains(Encrypted.NAME_ID)) {
            assertThat(sent).doesNotContain("<saml2:NameID");
          }
          if (what.contains(Encrypted.ASSERTION) || what.contains(Encrypted.ATTRIBUTES)) {
            assertThat(sent).doesNotContain("AttributeValue");
          }
        }
      }
    }
  }

  @Test
  void logoutRequests() {
    var sent = SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP);
    SamlWriter encrypting = writer.encrypting(everything(SamlFixtures.spKey()));
    var posted =
        SamlFixtures.posted(encrypting.post(sent, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()));
    var redirect =
        SamlFixtures.followed(
            encrypting.redirect(sent, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()));

    for (EdgeRequest request : List.of(posted, redirect)) {
      var reading = reader.logoutRequest(request, decrypting(SamlFixtures.idpMetadata(), SamlFixtures.spKey()));
      var message = ((Result.Accepted<Received<SamlMessage.LogoutRequest>, SamlRefusal>) reading).value().message();
      assertThat(message.nameId()).isEqualTo(sent.nameId());
    }
  }

  /** With the previous key, as after a roll-over. */
  @Test
  void everyKeyOfOursDecrypts() {
    ReceivedResponse received =
        accepted(read(encrypted(SamlFixtures.spKey()), SamlFixtures.strangerKey(), SamlFixtures.spKey()));

    assertThat(received.assertions()).hasSize(1);
  }

  @Test
  void withoutAKeyItIsRefused() {
    assertThat(refused(read(encrypted(SamlFixtures.spKey())))).isEqualTo(Reason.ASSERTION_ENCRYPTED);
  }

  @Test
  void encryptedToAnother() {
    assertThat(refused(read(encrypted(SamlFixtures.strangerKey()), SamlFixtures.spKey())))
        .isEqualTo(Reason.DECRYPTION_FAILED);
  }

  @ParameterizedTest
  @EnumSource(Encrypted.class)
  void thePartnersKeyDecides(Encrypted what) {
    assertThat(Encryption.choose(Set.of(), List.of())).isEqualTo(new Encryption.Choice.None());
    assertThat(Encryption.choose(Set.of(what), List.of())).isEqualTo(new Encryption.Choice.NoKey());
    assertThat(Encryption.choose(Set.of(what), List.of(to(SamlFixtures.spKey()), to(SamlFixtures.strangerKey()))))
        .isEqualTo(new Encryption.Choice.With(new Encryption(Set.of(what), to(SamlFixtures.spKey()))));
  }

  private EdgeRequest encrypted(SigningKey to) {
    return SamlFixtures.posted(
        writer
            .encrypting(everything(to))
            .postResponse(
                SamlFixtures.response(Optional.of("_r1")), SamlFixtures.SP_ACS, Optional.empty(),
                SamlFixtures.idpKey(), Signed.ASSERTION));
  }

  private Result<ReceivedResponse, SamlRefusal> read(EdgeRequest request, SigningKey... keys) {
    return reader.response(request, decrypting(SamlFixtures.idpMetadata(), keys));
  }

  public static ReceivedResponse accepted(Result<ReceivedResponse, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(var received) -> received;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  public static Reason refused(Result<ReceivedResponse, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted<ReceivedResponse, SamlRefusal> accepted -> throw new AssertionError("accepted");
      case Result.Refused(var refusal) -> refusal.reason();
    };
  }
}
