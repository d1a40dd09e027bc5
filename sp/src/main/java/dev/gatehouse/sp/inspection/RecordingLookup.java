package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.EncryptedElement;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds partners as another lookup does, and decrypts each element once: later readings need no key. */
final class RecordingLookup implements PartnerLookup {

  private final PartnerLookup partners;
  private final Map<String, String> decrypted;

  /** @param decrypted what was decrypted before */
  RecordingLookup(PartnerLookup partners, Map<String, String> decrypted) {
    this.partners = partners;
    this.decrypted = new TreeMap<>(decrypted);
  }

  @Override
  public Result<PartnerMetadata, SamlRefusal> apply(String issuer) {
    return partners.apply(issuer);
  }

  @Override
  public List<DecryptionKey> decryption() {
    return partners.decryption();
  }

  @Override
  public byte[] decrypt(EncryptedElement encrypted) {
    String digest = Sha256.hex(encrypted.ciphertext());
    String known = decrypted.get(digest);
    if (known != null) {
      return Base64.getDecoder().decode(known);
    }
    byte[] plain = encrypted.decrypt(partners.decryption());
    decrypted.put(digest, Base64.getEncoder().encodeToString(plain));
    return plain;
  }

  Map<String, String> decrypted() {
    return Map.copyOf(decrypted);
  }
}
