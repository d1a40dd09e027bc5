package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keys in tokens, beside others for uses that the tokens have no keys for. A token that is away is an error: no other key takes the
 * place of its keys.
 */
final class Pkcs11KeyRing implements KeyRing {

  /** A key with its place in a rotation. */
  private record Placed(State state, SigningKey key) {}

  private final Map<KeyInToken.Use, List<Placed>> keys = new EnumMap<>(KeyInToken.Use.class);
  private final KeyRing others;
  private final boolean isFormerKept;

  Pkcs11KeyRing(KeyConfig config, Pkcs11Tokens tokens, KeyRing others) throws IOException, GeneralSecurityException {
    this.others = others;
    this.isFormerKept = config.isFormerKept();
    for (State state : State.values()) {
      for (KeyInToken one : config.inTokens()) {
        if (one.state() == state) {
          keys.computeIfAbsent(one.use(), use -> new ArrayList<>()).add(new Placed(state, read(tokens, one)));
        }
      }
    }
  }

  /** Returns whether a key in a token is the current one of that use. */
  static boolean isCurrent(KeyConfig config, KeyUse use) {
    return use.inToken()
        .filter(own -> config.inTokens().stream().anyMatch(key -> key.use() == own && key.state() == State.CURRENT))
        .isPresent();
  }

  /** Reads a key; throws {@link TokenUnavailable} or another exception with a sentence if it cannot be used. */
  static SigningKey read(Pkcs11Tokens tokens, KeyInToken key) throws IOException, GeneralSecurityException {
    Optional<byte[]> certificate = Optional.empty();
    if (key.certificate().isPresent()) {
      Path file = key.certificate().get();
      certificate = Optional.of(Files.readAllBytes(file));
    }
    Pkcs11Tokens.Found found = tokens.key(key.token(), key.label(), certificate);
    SigningKey read = SigningKeys.remote(found.key(), found.certificate());
    boolean isRsa = found.key().getAlgorithm().equals("RSA");
    boolean fits =
        switch (key.use()) {
          case SIGNING -> true;
          case ENCRYPTION, TOKENS_RSA, IDENTITY_RSA -> isRsa;
          case TOKENS_P256, IDENTITY_P256 -> read.algorithm() == KeyAlgorithm.P_256;
        };
    if (!fits) {
      throw new GeneralSecurityException(
          "the key " + key.label() + " in the token " + key.token() + " is " + read.algorithm() + ", but the use " + key.use() + " needs "
              + (key.use() == KeyInToken.Use.TOKENS_P256 || key.use() == KeyInToken.Use.IDENTITY_P256 ? "P-256" : "RSA"));
    }
    return read;
  }

  private List<Placed> of(KeyUse use) {
    return use.inToken().map(own -> keys.getOrDefault(own, List.of())).orElse(List.of());
  }

  private static boolean hasCurrent(List<Placed> placed) {
    return placed.stream().anyMatch(one -> one.state() == State.CURRENT);
  }

  @Override
  public SigningKey current(KeyUse use) {
    return of(use).stream()
        .filter(one -> one.state() == State.CURRENT)
        .findFirst()
        .map(Placed::key)
        .orElseGet(() -> others.current(use));
  }

  @Override
  public List<VerificationKey> published(KeyUse use) {
    List<Placed> own = of(use);
    Stream<VerificationKey> inTokens =
        own.stream()
            .filter(one -> !use.isEncryption() || one.state() != State.PREVIOUS)
            .map(one -> new VerificationKey(one.key().id(), one.key().algorithm(), one.key().certificate()));
    if (!hasCurrent(own)) {
      return Stream.concat(others.published(use).stream(), inTokens).toList();
    }
    boolean isMore = isFormerKept && !use.isEncryption();
    return isMore ? Stream.concat(inTokens, others.published(use).stream()).toList() : inTokens.toList();
  }

  @Override
  public List<DecryptionKey> decryption(KeyUse use) {
    List<Placed> own = of(use);
    Stream<DecryptionKey> inTokens = own.stream().map(one -> new DecryptionKey(one.key().id(), one.key().privateKey()));
    return hasCurrent(own) && !isFormerKept
        ? inTokens.toList()
        : Stream.concat(inTokens, others.decryption(use).stream()).toList();
  }

  /** Reads the keys once; throws {@link TokenUnavailable} or {@link IllegalStateException} with a sentence if that is not possible. */
  static KeyRing open(String realm, KeyConfig config, Pkcs11Tokens tokens, KeyRing others) {
    try {
      return config.inTokens().isEmpty() ? others : new Pkcs11KeyRing(config, tokens, others);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The keys of realm " + realm + " in tokens cannot be used: " + e.getMessage(), e);
    }
  }
}
