package dev.gatehouse.gateway.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.TestRealms;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeNamesTest {

  private static AttributeNames of(String expression) {
    Expression compiled = ((Expression.Result.Compiled) Expression.compile(expression, Set.of())).expression();
    PolicyConfig.Rule rule = new PolicyConfig.Rule("r", PolicyConfig.Effect.PERMIT, List.of(new Condition.When(compiled)));
    return AttributeNames.of(
        TestRealms.change(TestRealms.demo())
            .routes(TestRealms.route("a", "/", new Access.Protected()).withPolicies(List.of(new PolicyConfig("p", List.of(rule)))))
            .realm());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'x' in person.attributes[\"office\"]",
        "'x' in person.attributes['office']",
        "'x' in person . attributes [ 'office' ]",
        "'x' in person.attributes.office",
        "person.attributes.office.exists(o, o == 'x')",
        "has(person.attributes.office)",
        "'office' in person.attributes"
      })
  void anExpressionNamesItsAttributes(String expression) {
    assertThat(of(expression).all()).as(expression).isFalse();
    assertThat(of(expression).contains("office")).isTrue();
    assertThat(of(expression).contains("mail")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'x' in person.attributes[person.user]",
        "person.attributes.exists(name, name.startsWith('x'))",
        "person.attributes['of' + 'fice'].size() > 0",
        "size(person.attributes) > 3"
      })
  void anExpressionThatComputesNamesMayUseAll(String expression) {
    assertThat(of(expression).contains("mail")).as(expression).isTrue();
  }

  @Test
  void withoutPoliciesNothingIsNamed() {
    assertThat(AttributeNames.of(TestRealms.demo())).isEqualTo(new AttributeNames(Set.of(), false));
  }
}
