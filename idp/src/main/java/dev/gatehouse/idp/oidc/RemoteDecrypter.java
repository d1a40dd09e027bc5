package dev.gatehouse.idp.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.impl.ContentCryptoProvider;
import com.nimbusds.jose.crypto.impl.RSACryptoProvider;
import com.nimbusds.jose.util.Base64URL;
import dev.gatehouse.common.crypto.RemoteKey;
import java.security.GeneralSecurityException;
import java.security.spec.MGF1ParameterSpec;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Decrypts JWEs of RSA-OAEP-256 with a key that another place holds. A wrong key is replaced by a random one (RFC 7516, section 11.5). */
final class RemoteDecrypter extends RSACryptoProvider implements JWEDecrypter {

  private static final OAEPParameterSpec OAEP_256 =
      new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

  private final RemoteKey key;

  RemoteDecrypter(RemoteKey key) {
    super(null);
    this.key = key;
  }

  @Override
  public byte[] decrypt(
      JWEHeader header, @Nullable Base64URL encryptedKey, @Nullable Base64URL iv, Base64URL cipherText, @Nullable Base64URL tag, byte[] aad)
      throws JOSEException {
    if (iv == null || tag == null) {
      throw new JOSEException("a part of the JWE is empty");
    }
    SecretKey random = ContentCryptoProvider.generateCEK(header.getEncryptionMethod(), getJCAContext().getSecureRandom());
    try {
      Optional<byte[]> content = encryptedKey == null ? Optional.empty() : key.decrypt(OAEP_256, encryptedKey.decode());
      SecretKey used =
          content
              .filter(found -> found.length == random.getEncoded().length)
              .<SecretKey>map(found -> new SecretKeySpec(found, "AES"))
              .orElse(random);
      return ContentCryptoProvider.decrypt(header, aad, encryptedKey, iv, cipherText, tag, used, getJCAContext());
    } catch (GeneralSecurityException e) {
      throw new JOSEException("RSA-OAEP-256 is not there", e);
    }
  }
}
