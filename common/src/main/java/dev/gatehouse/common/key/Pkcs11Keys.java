package dev.gatehouse.common.key;

import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks whether the keys that realms have in tokens can be used. */
public final class Pkcs11Keys implements Realms.Check {

  private final Pkcs11Tokens tokens;

  public Pkcs11Keys(Pkcs11Tokens tokens) {
    this.tokens = tokens;
  }

  /** Certificates are files: their contents may differ where the configuration does not. */
  @Override
  public List<Problem> problems(Optional<Realm> used, Realm next, Path file) {
    boolean isSame =
        used.filter(realm -> realm.keys().equals(next.keys()))
            .filter(realm -> realm.revision().equals(next.revision()) || next.keys().inTokens().stream().allMatch(key -> key.certificate().isEmpty()))
            .isPresent();
    return isSame ? List.of() : problems(next.keys(), file);
  }

  /** Returns why keys cannot be used, by the key of the configuration. */
  public List<Problem> problems(KeyConfig config, Path file) {
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < config.inTokens().size(); i++) {
      String place = "keys.pkcs11[" + i + "].";
      problem(config.inTokens().get(i)).ifPresent(found -> problems.add(new Problem(file, 0, place + found.key(), "cannot be used", found.sentence())));
    }
    return problems;
  }

  private record Found(String key, String sentence) {}

  private Optional<Found> problem(KeyInToken key) {
    try {
      Pkcs11KeyRing.read(tokens, key);
      return Optional.empty();
    } catch (TokenUnavailable e) {
      return Optional.of(new Found(e.about().name().toLowerCase(Locale.ROOT), e.sentence()));
    } catch (IOException e) {
      return Optional.of(new Found("certificate", String.valueOf(e.getMessage())));
    } catch (GeneralSecurityException e) {
      return Optional.of(new Found("use", String.valueOf(e.getMessage())));
    }
  }
}
