package dev.gatehouse.gateway.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.compute.Busy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExportPlacesTest {

  private final ExportPlaces places = new ExportPlaces();

  @Test
  void anAdministratorWhoDoesNotReadLeavesPlacesToOthers() {
    ExportPlaces.Place first = places.take("ann");
    places.take("ann");
    assertThatThrownBy(() -> places.take("ann")).isInstanceOf(Busy.class);
    places.take("bob");
    first.close();
    assertThat(places.take("ann")).isNotNull();
  }

  @Test
  void allTogetherAreBounded() {
    List<ExportPlaces.Place> taken = new ArrayList<>();
    for (int i = 0; i < ExportPlaces.MOST; i++) {
      taken.add(places.take("administrator " + i));
    }
    assertThatThrownBy(() -> places.take("one more")).isInstanceOf(Busy.class);
    taken.forEach(ExportPlaces.Place::close);
    assertThat(places.take("one more")).isNotNull();
  }
}
