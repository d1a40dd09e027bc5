package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.crypto.RemoteKey;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;

/** A private key in a token, found by its label. It stands for the key of one certificate, whatever the token may hold later. */
final class TokenKey implements RemoteKey {
  private static final long serialVersionUID = 1;

  private final transient Pkcs11Token token;
  private final transient PublicKey counterpart;
  private final String label;

  TokenKey(Pkcs11Token token, String label, PublicKey counterpart) {
    this.token = token;
    this.label = label;
    this.counterpart = counterpart;
  }

  @Override
  public String getAlgorithm() {
    return counterpart instanceof RSAPublicKey ? "RSA" : "EC";
  }

  @Override
  public byte[] sign(Scheme scheme, byte[] content) {
    return token.sign(label, counterpart, scheme, content);
  }

  @Override
  public Optional<byte[]> decrypt(OAEPParameterSpec oaep, byte[] encrypted) throws GeneralSecurityException {
    if (!(counterpart instanceof RSAPublicKey rsa)
        || encrypted.length != (rsa.getModulus().bitLength() + 7) / 8
        || new BigInteger(1, encrypted).compareTo(rsa.getModulus()) >= 0) {
      return Optional.empty();
    }
    return switch (token.decrypt(label, counterpart, oaep, encrypted)) {
      case Decrypted.Message(byte[] content) -> Optional.of(content);
      case Decrypted.Padded(byte[] content) -> OaepPadding.remove(content, oaep);
      case Decrypted.Wrong wrong -> Optional.empty();
    };
  }

  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException("a key in a token");
  }

  @Override
  public String toString() {
    return "TokenKey " + label + " in " + token;
  }
}
