package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The grants of a client that registers: {@code grant_types} and {@code response_types}, which must correspond (RFC
 * 7591, section 2.1). If one is missing, it follows from the other. Only administrators can give the password grant.
 *
 * @param needRedirect whether the client needs a redirect URI
 */
record GrantMetadata(Set<GrantType> grants, boolean needRedirect) {

  private static final String CODE = "authorization_code";
  private static final String IMPLICIT = "implicit";

  private static final Map<String, GrantType> GRANTS =
      Map.of(
          CODE, GrantType.CODE,
          IMPLICIT, GrantType.IMPLICIT,
          "refresh_token", GrantType.REFRESH,
          "client_credentials", GrantType.CLIENT_CREDENTIALS,
          "urn:ietf:params:oauth:grant-type:device_code", GrantType.DEVICE);

  private static final Set<Set<String>> RESPONSES =
      Set.of(
          Set.of("code"),
          Set.of("token"),
          Set.of("id_token"),
          Set.of("id_token", "token"),
          Set.of("code", "token"),
          Set.of("code", "id_token"),
          Set.of("code", "id_token", "token"));

  static GrantMetadata read(MetadataReader in, Method method) {
    List<String> grants = in.texts("grant_types");
    List<String> responses = in.texts("response_types");
    if (!in.has("response_types")) {
      responses = responsesOf(grants);
      in.register("response_types", responses);
    }
    if (!in.has("grant_types")) {
      grants = grantsOf(responses);
      in.register("grant_types", grants);
    }
    Set<GrantType> uses = EnumSet.noneOf(GrantType.class);
    for (String grant : grants) {
      if (GRANTS.containsKey(grant)) {
        uses.add(GRANTS.getOrDefault(grant, GrantType.CODE));
      } else {
        in.wrong("grant_types", "has one that is not supported here");
      }
    }
    if (uses.contains(GrantType.CLIENT_CREDENTIALS) && method == Method.NONE) {
      in.wrong("grant_types", "has client_credentials, but the client has no credentials");
    }
    boolean hybrid = responses(in, responses, grants);
    boolean isImplicit =
        uses.contains(GrantType.IMPLICIT) && responses.stream().anyMatch(r -> !words(r).contains("code"));
    if (!isImplicit) {
      uses.remove(GrantType.IMPLICIT);
    }
    if (hybrid) {
      uses.add(GrantType.HYBRID);
    }
    return new GrantMetadata(uses, !responses.isEmpty());
  }

  /** Checks the response types. Returns whether one of them is hybrid. */
  private static boolean responses(MetadataReader in, List<String> responses, List<String> grants) {
    boolean hybrid = false;
    for (String response : responses) {
      Set<String> words = words(response);
      if (!RESPONSES.contains(words)) {
        in.wrong("response_types", "has one that is not supported here");
      }
      if (!grants.containsAll(grantsOf(List.of(response)))) {
        in.wrong("grant_types", "and response_types do not belong together");
      }
      hybrid |= words.contains("code") && words.size() > 1;
    }
    if (responses.isEmpty() && (grants.contains(CODE) || grants.contains(IMPLICIT))) {
      in.wrong("grant_types", "and response_types do not belong together");
    }
    return hybrid;
  }

  private static List<String> responsesOf(List<String> grants) {
    if (grants.isEmpty() || grants.contains(CODE)) {
      return List.of("code");
    }
    return grants.contains(IMPLICIT) ? List.of("id_token token", "id_token") : List.of();
  }

  /** The table of RFC 7591, section 2.1. */
  private static List<String> grantsOf(List<String> responses) {
    Set<String> words = new TreeSet<>();
    responses.forEach(response -> words.addAll(words(response)));
    List<String> grants = new ArrayList<>();
    if (words.contains("code")) {
      grants.add(CODE);
    }
    if (words.contains("token") || words.contains("id_token")) {
      grants.add(IMPLICIT);
    }
    return grants;
  }

  private static Set<String> words(String response) {
    return Set.copyOf(new TreeSet<>(List.of(response.split(" ", -1))));
  }
}
