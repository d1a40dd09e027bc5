package dev.gatehouse.sp.inspection;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.PasswordBasedDecrypter;
import com.nimbusds.jose.crypto.PasswordBasedEncrypter;
import dev.gatehouse.common.store.JsonCodec;
import java.text.ParseException;
import java.util.Optional;

/** A recording as a file: a JWE in compact form, encrypted to a passphrase (RFC 7516; RFC 7518, section 4.8). */
final class RecordingFile {

  static final int MIN_PASSPHRASE = 12;

  private static final JOSEObjectType TYPE = new JOSEObjectType("gatehouse-test-login");
  private static final int SALT_BYTES = 16;

  /** PBKDF2 with HMAC-SHA-512; OWASP asks for 210,000. */
  private static final int ITERATIONS = 300_000;

  private static final JsonCodec<Recording> JSON = new JsonCodec<>(Recording.class);

  private RecordingFile() {}

  /** @param passphrase at least {@value #MIN_PASSPHRASE} characters */
  static String write(Recording recording, String passphrase) {
    JWEHeader header =
        new JWEHeader.Builder(JWEAlgorithm.PBES2_HS512_A256KW, EncryptionMethod.A256GCM).type(TYPE).build();
    JWEObject file = new JWEObject(header, new Payload(JSON.encode(recording)));
    try {
      file.encrypt(new PasswordBasedEncrypter(passphrase, SALT_BYTES, ITERATIONS));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return file.serialize();
  }

  /** Reads a file; empty if it is not one, was changed, or has another passphrase. */
  static Optional<Recording> read(String text, String passphrase) {
    try {
      JWEObject file = JWEObject.parse(text.strip());
      JWEHeader header = file.getHeader();
      boolean ours =
          TYPE.equals(header.getType())
              && JWEAlgorithm.PBES2_HS512_A256KW.equals(header.getAlgorithm())
              && header.getCompressionAlgorithm() == null
              && header.getPBES2Count() <= ITERATIONS;
      if (!ours) {
        return Optional.empty();
      }
      file.decrypt(new PasswordBasedDecrypter(passphrase));
      return Optional.of(JSON.decode(file.getPayload().toBytes()));
    } catch (ParseException | JOSEException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
