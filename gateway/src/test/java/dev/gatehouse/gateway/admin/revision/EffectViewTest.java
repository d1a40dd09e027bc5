package dev.gatehouse.gateway.admin.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.effect.Effect;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EffectViewTest {

  @Test
  void valuesOfTheEnvironmentAreNotShown() {
    Effect.Change change = new Effect.Change("demo", "bob", "GET", "http://app/", "POLICY_DENIED, route app, policy s3cret: rule s3cret");
    EffectView view = EffectView.of(new Effect(1, 1, 1, List.of(change), List.of(change), 0, 0, List.of("s3cret")), Set.of("s3cret", ""));
    assertThat(view.toString()).doesNotContain("s3cret");
    assertThat(view.losses().getFirst().reason()).isEqualTo("POLICY_DENIED, route app, policy ${…}: rule ${…}");
    assertThat(view.losses().getFirst().person()).isEqualTo("bob");
  }
}
