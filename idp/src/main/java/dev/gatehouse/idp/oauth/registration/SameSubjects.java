package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.Map;
import java.util.Optional;

/**
 * A registration keeps its subject type and its sector (OpenID Connect Core 8.1). With the refresh tokens that it has, a
 * client that changed them would learn the subjects that people have in another sector, where none of them has met it.
 */
final class SameSubjects {

  private SameSubjects() {}

  /** Refused if the subject type or the sector differs from that of the stored metadata. */
  static Result<ClientMetadata, OAuthError> check(Map<String, Object> stored, ClientMetadata wanted) {
    Optional<SubjectType> before = SubjectMetadata.stored(stored);
    SubjectType after = wanted.subject().type();
    return before.filter(after::equals).isPresent()
        ? Result.accepted(wanted)
        : OAuthError.refused(
            Code.INVALID_CLIENT_METADATA,
            before.map(type -> difference(type, after)).orElse("the present registration proves no sector")
                + "; register a new client");
  }

  private static String difference(SubjectType before, SubjectType after) {
    return before instanceof SubjectType.Pairwise(String from) && after instanceof SubjectType.Pairwise(String to)
        ? "the sector cannot change from " + from + " to " + to
        : "subject_type cannot change from " + word(before) + " to " + word(after);
  }

  private static String word(SubjectType type) {
    return switch (type) {
      case SubjectType.Public everybody -> "public";
      case SubjectType.Pairwise ofSector -> "pairwise";
    };
  }
}
