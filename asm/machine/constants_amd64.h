DATA machineOne<>+0(SB)/8, $1.0
GLOBL machineOne<>(SB), RODATA|NOPTR, $8

DATA machineTwo<>+0(SB)/8, $2.0
GLOBL machineTwo<>(SB), RODATA|NOPTR, $8

DATA machineBegin<>+0(SB)/8, $1.5
GLOBL machineBegin<>(SB), RODATA|NOPTR, $8

DATA machineFactor<>+0(SB)/8, $1.7
GLOBL machineFactor<>(SB), RODATA|NOPTR, $8
