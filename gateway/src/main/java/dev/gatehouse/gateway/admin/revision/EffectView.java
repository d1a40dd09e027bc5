package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.gateway.effect.Effect;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Set;

/** The JSON of a configuration's effect on people. */
@Schema(name = "RevisionEffect")
record EffectView(
    @Schema(description = "Decisions about people's requests that this node recorded in the last day, as far as they can be read") long recorded,
    @Schema(description = "Those that were asked again, by both configurations; fewer if this took more than 5 seconds") long asked,
    @Schema(description = "The share of the last day's distinct decisions that were asked again, from 0 to 1") double coverage,
    @Schema(description = "Requests that only the proposed configuration permits; at most 100") List<ChangeView> gains,
    @Schema(description = "Requests that only the configuration in use permits; at most 100") List<ChangeView> losses,
    @Schema(description = "The number of gains that are not listed") long moreGains,
    @Schema(description = "The number of losses that are not listed") long moreLosses,
    @Schema(description = "Attributes that only the proposed policies name: they were not recorded, and count as absent")
        List<String> unknownAttributes) {

  /** A request that somebody would gain or lose. */
  @Schema(name = "RevisionEffectChange")
  record ChangeView(
      String realm,
      @Schema(description = "The user name") String person,
      String method,
      @Schema(description = "Without the query", example = "https://app.example.org/accounts/7/") String url,
      @Schema(
              description = "Why, by the proposed configuration; ages and addresses are those of the recorded request",
              example = "ROLE_MISSING, route accounts: role manager")
          String reason) {}

  /** @param hidden values of the node's environment, which proposed files could reference to read them */
  static EffectView of(Effect effect, Set<String> hidden) {
    return new EffectView(
        effect.recorded(),
        effect.asked(),
        effect.coverage(),
        changes(effect.gains(), hidden),
        changes(effect.losses(), hidden),
        effect.moreGains(),
        effect.moreLosses(),
        effect.unknownAttributes().stream().map(name -> shown(name, hidden)).toList());
  }

  private static List<ChangeView> changes(List<Effect.Change> changes, Set<String> hidden) {
    return changes.stream()
        .map(change -> new ChangeView(change.realm(), change.person(), change.method(), change.url(), shown(change.reason(), hidden)))
        .toList();
  }

  private static String shown(String text, Set<String> hidden) {
    String shown = text;
    for (String value : hidden) {
      shown = value.isEmpty() ? shown : shown.replace(value, "${…}");
    }
    return shown;
  }
}
