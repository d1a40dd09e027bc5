package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Pkcs11Config;
import dev.gatehouse.common.pkcs11.TokenUnavailable.About;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tokens of {@code gatehouse.yaml}, by their names. A token is opened when a key of it is needed. */
public final class Pkcs11Tokens implements AutoCloseable {

  private final Map<String, Pkcs11Token> tokens = new TreeMap<>();

  public Pkcs11Tokens(List<Pkcs11Config> configs, Path data, Map<String, String> environment, InstantSource time) {
    configs.forEach(config -> tokens.put(config.name(), new Pkcs11Token(config, data, environment, time)));
  }

  /** Returns the tokens of a node. */
  public static Pkcs11Tokens of(Node node) {
    return new Pkcs11Tokens(node.state().tokens(), node.data(), System.getenv(), InstantSource.system());
  }

  /** Returns no tokens. */
  public static Pkcs11Tokens none() {
    return new Pkcs11Tokens(List.of(), Path.of(""), Map.of(), InstantSource.system());
  }

  public List<Pkcs11Token> all() {
    return List.copyOf(tokens.values());
  }

  /** Returns why tokens cannot be used, in sentences with the remedy. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    tokens.values().forEach(token -> token.problem().ifPresent(problems::add));
    return problems;
  }

  /** Throws {@link TokenUnavailable} with all problems, if there are some: then no token stays open. */
  public void requireAll() {
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      close();
      throw new TokenUnavailable(String.join("\n", problems));
    }
  }

  /** A private key in a token and its certificate. */
  public record Found(PrivateKey key, X509Certificate certificate) {}

  /**
   * Returns a key.
   *
   * @param certificate of the key, in PEM; the token's own if there is none
   * @throws TokenUnavailable if it cannot be used
   */
  public Found key(String token, String label, Optional<byte[]> certificate) throws GeneralSecurityException {
    Pkcs11Token named = tokens.get(token);
    if (named == null) {
      throw new TokenUnavailable(
          "A realm names the PKCS#11 token " + token + ", which gatehouse.yaml does not have"
              + (tokens.isEmpty() ? "" : " (it has: " + String.join(", ", tokens.keySet()) + ")") + ": add it at pkcs11.");
    }
    X509Certificate read = certificate.isPresent() ? Pem.certificates(certificate.get()).getFirst() : inToken(named, label);
    TokenKey key = new TokenKey(named, label, read.getPublicKey());
    named.requirePair(label, read.getPublicKey());
    return new Found(key, read);
  }

  private static X509Certificate inToken(Pkcs11Token token, String label) throws CertificateException {
    byte[] encoded =
        token
            .certificate(label)
            .orElseThrow(
                () ->
                    new TokenUnavailable(
                        About.CERTIFICATE,
                        "The token " + token.name() + " has no certificate for the key " + label
                            + ": store it there with the same CKA_ID, or name a file at certificate."));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
  }

  @Override
  public void close() {
    tokens.values().forEach(Pkcs11Token::close);
  }
}
