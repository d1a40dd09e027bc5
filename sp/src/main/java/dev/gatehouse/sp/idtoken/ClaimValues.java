package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.realm.ProviderConfig.SubjectClaims;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.idtoken.ClaimVerdict.DropReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims about a person as lists of texts. A member of a nested claim is named with dots, as in
 * {@code realm_access.roles}; a top-level claim of the same name takes precedence. Claims about the token instead of
 * the person are left out.
 *
 * @param byName in the order of the token; no list is empty
 */
public record ClaimValues(Map<String, List<String>> byName) {

  private static final Set<String> OF_THE_TOKEN =
      Set.of(
          "iss", "aud", "exp", "nbf", "iat", "jti", "nonce", "at_hash", "c_hash", "s_hash", "azp", "sid", "auth_time", "acr",
          "amr", "typ", "session_state", "client_id", "scope", "cnf", "active", "token_type", "events");
  private static final String EMAIL = "email";
  private static final String EMAIL_VERIFIED = "email_verified";
  private static final int MAX_DEPTH = 4;
  private static final int MAX = 500;

  public ClaimValues {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /** Reads the claims of a token or a UserInfo response. */
  public static ClaimValues of(Map<String, Object> claims) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    claims.forEach(
        (name, value) -> {
          if (!OF_THE_TOKEN.contains(name) && !(value instanceof Map<?, ?>)) {
            put(values, name, value);
          }
        });
    claims.forEach(
        (name, value) -> {
          if (!OF_THE_TOKEN.contains(name) && value instanceof Map<?, ?> members) {
            nested(values, name, members, MAX_DEPTH);
          }
        });
    return new ClaimValues(values);
  }

  /**
   * Adds those of the other claims whose names are not present here. Whether an e-mail address is verified counts for the address beside
   * which it stands: the person may have changed the address between the two answers.
   */
  public ClaimValues and(ClaimValues others) {
    Map<String, List<String>> all = new LinkedHashMap<>(byName);
    others.byName.forEach(all::putIfAbsent);
    all.remove(EMAIL_VERIFIED);
    List<String> verified = verified(others);
    if (!verified.isEmpty()) {
      all.put(EMAIL_VERIFIED, verified);
    }
    return new ClaimValues(all);
  }

  private List<String> verified(ClaimValues others) {
    boolean hasAddress = byName.containsKey(EMAIL);
    List<String> own = hasAddress ? values(EMAIL_VERIFIED) : List.of();
    boolean isTheirs = !hasAddress || values(EMAIL).equals(others.values(EMAIL));
    return own.isEmpty() && isTheirs ? others.values(EMAIL_VERIFIED) : own;
  }

  /**
   * Returns those of the provider's claims that count. An e-mail address that the provider has not verified was only
   * typed in by its person (OpenID Connect Core 5.1), so it counts only if {@code accept} lists it. Claims that give
   * rights, when used as plain claims, also count only if they give these rights, because policies and headers may
   * refer to any attribute.
   */
  public ClaimValues counting(ProviderTrust trust, SubjectClaims names) {
    Map<String, List<String>> counting = new LinkedHashMap<>();
    for (ClaimVerdict verdict : verdicts(trust, names)) {
      if (verdict.dropped().isEmpty()) {
        counting.computeIfAbsent(verdict.claim(), name -> new ArrayList<>()).add(verdict.value());
      }
    }
    return new ClaimValues(counting);
  }

  /** Returns each value, and whether it counts as in {@link #counting}. */
  public List<ClaimVerdict> verdicts(ProviderTrust trust, SubjectClaims names) {
    List<String> rights = List.of(AttributeName.plain(names.roles()), AttributeName.plain(names.groups()), "roles", "groups");
    boolean verified = values(EMAIL_VERIFIED).equals(List.of("true"));
    List<ClaimVerdict> verdicts = new ArrayList<>();
    byName.forEach(
        (name, texts) -> {
          boolean givesRights = rights.contains(AttributeName.plain(name));
          boolean mustBeListed = givesRights || name.equals(EMAIL) && !verified;
          for (String text : texts) {
            boolean counts = mustBeListed ? trust.grants(name, text) : trust.takes(name, text);
            DropReason reason = givesRights ? DropReason.GIVES_RIGHTS : mustBeListed ? DropReason.NOT_VERIFIED : DropReason.NOT_ACCEPTED;
            verdicts.add(new ClaimVerdict(name, text, counts ? Optional.empty() : Optional.of(reason)));
          }
        });
    return verdicts;
  }

  /** The values of the claim; an empty list if there is no such claim. */
  public List<String> values(String name) {
    return byName.getOrDefault(name, List.of());
  }

  private static void nested(Map<String, List<String>> values, String prefix, Map<?, ?> members, int depth) {
    members.forEach(
        (name, value) -> {
          String path = prefix + "." + name;
          if (value instanceof Map<?, ?> deeper) {
            if (depth > 1) {
              nested(values, path, deeper, depth - 1);
            }
          } else if (value != null) {
            put(values, path, value);
          }
        });
  }

  private static void put(Map<String, List<String>> values, String name, Object value) {
    List<String> texts = new ArrayList<>();
    for (Object one : value instanceof List<?> several ? several : List.of(value)) {
      if (one instanceof String || one instanceof Number || one instanceof Boolean) {
        texts.add(String.valueOf(one));
      }
    }
    if (!texts.isEmpty() && values.size() < MAX) {
      values.putIfAbsent(name, List.copyOf(texts));
    }
  }

  /** Contains only the names. */
  @Override
  public String toString() {
    return byName.keySet().toString();
  }
}
