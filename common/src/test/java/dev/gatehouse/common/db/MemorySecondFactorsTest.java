package dev.gatehouse.common.db;

class MemorySecondFactorsTest extends SecondFactorsContract {

  private final SecondFactors factors = new MemorySecondFactors();

  @Override
  protected SecondFactors factors() {
    return factors;
  }
}
