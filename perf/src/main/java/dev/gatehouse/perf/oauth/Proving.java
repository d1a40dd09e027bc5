package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;

/** Client credentials with a new ES256 DPoP proof each time (RFC 9449). */
final class Proving implements Caller {

  private final ApiClient api;
  private final AuthorizationServer server;
  private final BenchClient client;
  private final KeyPair key;
  private final String header;
  private final String run;
  private long made;

  private Proving(ApiClient api, AuthorizationServer server, BenchClient client, KeyPair key, int number) {
    this.api = api;
    this.server = server;
    this.client = client;
    this.key = key;
    this.header = Text.base64url(header((ECPublicKey) key.getPublic()));
    this.run = number + "-" + System.nanoTime() + "-";
  }

  static Caller of(AuthorizationServer server, BenchClient client, int number) throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return new Proving(new ApiClient(server.url()), server, client, generator.generateKeyPair(), number);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String header(ECPublicKey key) {
    return "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\""
        + coordinate(key.getW().getAffineX()) + "\",\"y\":\"" + coordinate(key.getW().getAffineY()) + "\"}}";
  }

  /** A coordinate in 32 bytes (RFC 7518, section 6.2.1.2). */
  private static String coordinate(BigInteger number) {
    byte[] bytes = number.add(BigInteger.ONE.shiftLeft(256)).toByteArray();
    return Text.base64url(Arrays.copyOfRange(bytes, bytes.length - 32, bytes.length));
  }

  private String proof() throws IOException {
    String claims =
        "{\"jti\":\"" + run + ++made + "\",\"htm\":\"POST\",\"htu\":\"" + server.url() + server.endpoints().token()
            + "\",\"iat\":" + System.currentTimeMillis() / 1000 + "}";
    String signed = header + "." + Text.base64url(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(key.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + Text.base64url(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void reconnect() throws IOException {
    api.reconnect();
  }

  @Override
  public void once() throws IOException {
    String request =
        api.post(server.endpoints().token(), "grant_type=client_credentials", client.basic(), "DPoP: " + proof());
    Answer answer = api.send(request);
    if (answer.status() != 200 || !Text.member(answer.body(), "token_type").equals("DPoP")) {
      throw new IOException("no token that is bound, but " + answer.status() + ": " + answer.body());
    }
  }

  @Override
  public void close() throws IOException {
    api.close();
  }
}
