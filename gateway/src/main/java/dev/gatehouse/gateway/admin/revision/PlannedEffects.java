package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl.Plan;
import dev.gatehouse.gateway.effect.Effects;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The effect of proposed files on people, where decisions are recorded. */
final class PlannedEffects {

  private final Optional<Effects> effects;
  private final Realms realms;

  PlannedEffects(Optional<Effects> effects, Realms realms) {
    this.effects = effects;
    this.realms = realms;
  }

  /** Returns the effect; empty if the files have problems, or if this node decides about no requests. */
  Optional<EffectView> of(Plan plan, ChangeScope scope) {
    return effects
        .filter(recorded -> plan.problems().isEmpty())
        .map(recorded -> EffectView.of(recorded.of(within(realms.all(), scope), within(plan.realms(), scope)), plan.hidden()));
  }

  private static List<Realm> within(Collection<Realm> all, ChangeScope scope) {
    return all.stream().filter(realm -> scope.includesRealm(realm.name())).toList();
  }
}
