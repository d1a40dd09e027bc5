package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.pkcs11.Cryptoki.Attribute;
import dev.gatehouse.common.pkcs11.TokenUnavailable.About;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds keys and certificates in a token. */
final class TokenObjects {

  private static final long CKA_MODULUS = 0x120;

  private TokenObjects() {}

  /** Returns the handle of the private key with that label; throws {@link TokenUnavailable} if it is none that we use. */
  static long privateKey(Cryptoki functions, long session, String token, String label) throws CryptokiFailed {
    List<Long> found = keys(functions, session, named(label));
    if (found.isEmpty()) {
      // Some tools, keytool among them, give the label to the certificate alone.
      for (long certificate : functions.find(session, List.of(Attribute.ofClass(Cryptoki.CKO_CERTIFICATE), named(label)))) {
        Optional<byte[]> id = functions.attribute(session, certificate, Cryptoki.CKA_ID).filter(value -> value.length > 0);
        if (id.isPresent()) {
          found = keys(functions, session, new Attribute(Cryptoki.CKA_ID, id.get()));
        }
      }
    }
    if (found.size() != 1) {
      throw new TokenUnavailable(
          About.LABEL,
          "The token " + token + " has " + (found.isEmpty() ? "no private key" : found.size() + " private keys") + " with the label " + label
              + ": make one in it, or correct keys.pkcs11 of the realm.");
    }
    long key = found.getFirst();
    if (!is(functions, session, key, Cryptoki.CKA_EXTRACTABLE, false) || !is(functions, session, key, Cryptoki.CKA_SENSITIVE, true)) {
      throw new TokenUnavailable(
          About.LABEL,
          "The private key " + label + " could be read out of the token " + token + ", so that it is no better than a file: make one with "
              + "CKA_SENSITIVE true and CKA_EXTRACTABLE false.");
    }
    return key;
  }

  private static Attribute named(String label) {
    return new Attribute(Cryptoki.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8));
  }

  private static List<Long> keys(Cryptoki functions, long session, Attribute name) throws CryptokiFailed {
    return functions.find(session, List.of(Attribute.ofClass(Cryptoki.CKO_PRIVATE_KEY), name));
  }

  /** Returns whether the token says that an attribute has this value; one that cannot be read has neither. */
  private static boolean is(Cryptoki functions, long session, long object, long attribute, boolean wanted) throws CryptokiFailed {
    return functions.attribute(session, object, attribute).filter(value -> value.length == 1 && value[0] != 0 == wanted).isPresent();
  }

  /** Returns the certificate that belongs to the key, by its id or else by its label. */
  static Optional<byte[]> certificate(Cryptoki functions, long session, long key, String label) throws CryptokiFailed {
    List<Attribute> names = new ArrayList<>();
    functions.attribute(session, key, Cryptoki.CKA_ID).filter(id -> id.length > 0).ifPresent(id -> names.add(new Attribute(Cryptoki.CKA_ID, id)));
    names.add(named(label));
    for (Attribute name : names) {
      List<Long> found = functions.find(session, List.of(Attribute.ofClass(Cryptoki.CKO_CERTIFICATE), name));
      if (found.size() == 1) {
        return functions.attribute(session, found.getFirst(), Cryptoki.CKA_VALUE);
      }
    }
    return Optional.empty();
  }

  /** As {@link #privateKey}, of a certificate: the token may have been replaced while it was away. */
  static long keyOf(Cryptoki functions, long session, String token, String label, PublicKey counterpart) throws CryptokiFailed {
    long key = privateKey(functions, session, token, label);
    if (!isOf(functions, session, key, counterpart)) {
      throw new TokenUnavailable(
          About.LABEL,
          "The private key " + label + " in the token " + token + " is not that of its certificate: correct the label, or the certificate, "
              + "of keys.pkcs11 of the realm.");
    }
    return key;
  }

  private static boolean isOf(Cryptoki functions, long session, long key, PublicKey counterpart) throws CryptokiFailed {
    if (counterpart instanceof RSAPublicKey rsa) {
      return functions
          .attribute(session, key, CKA_MODULUS)
          .filter(modulus -> new BigInteger(1, modulus).equals(rsa.getModulus()))
          .isPresent();
    }
    byte[] digest = Sha256.of("pair".getBytes(StandardCharsets.US_ASCII));
    try {
      byte[] signed = functions.sign(session, Mechanism.ECDSA, key, digest);
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initVerify(counterpart);
      signature.update("pair".getBytes(StandardCharsets.US_ASCII));
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    } catch (CryptokiFailed e) {
      if (e.isSurelyLost()) {
        throw e;
      }
      return false;
    }
  }
}
