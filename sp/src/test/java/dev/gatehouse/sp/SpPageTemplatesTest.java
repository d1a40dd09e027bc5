package dev.gatehouse.sp;

import dev.gatehouse.common.page.PageTemplatesContract;

final class SpPageTemplatesTest extends PageTemplatesContract {
  SpPageTemplatesTest() {
    super("sp");
  }
}
